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

/** Shows a part of the page as it is now, unless somebody is in it. */
const renew = (part, page) => {
  const next = page.getElementById(part.id)
  if (!next || part.contains(document.activeElement)) return
  if (part.innerHTML !== next.innerHTML) part.replaceChildren(...next.childNodes)
  if (!next.hasAttribute('data-live')) part.removeAttribute('data-live')
}

/** Takes the parts of the page that move from the server until none moves any more. */
const follow = async () => {
  if (!document.querySelector('[data-live]')) return
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  try {
    const response = await fetch(location.href)
    if (response.redirected || !response.ok) return
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    for (const part of document.querySelectorAll('[data-live]')) renew(part, page)
  } catch {
    // The server is away for a moment: it is asked again.
  }
  await follow()
}

follow()
