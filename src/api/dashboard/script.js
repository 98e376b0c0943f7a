/** What HTML cannot do: copy a text, and show what has happened to a delivery that is under way. */

const COPIED_MS = 2000
const LOOK_MS = 1000

document.documentElement.classList.add('scripted')

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('button.copy')
  if (!button) return
  try {
    await navigator.clipboard.writeText(button.dataset.copy)
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Select it'
  }
  setTimeout(() => {
    button.textContent = 'Copy'
  }, COPIED_MS)
})

/** Takes the part of the page that moves from the server until it says that it does not move any more. */
const follow = async () => {
  const part = document.querySelector('[data-live]')
  if (!part) return
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } })
    if (response.redirected || !response.ok) return
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const next = page.getElementById(part.id)
    if (!next) return
    if (!part.contains(document.activeElement)) part.replaceWith(next)
  } catch {
    // The server is away for a moment: it is asked again.
  }
  await follow()
}

follow()
