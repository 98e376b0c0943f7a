import type { DevStatus } from '../../devnet/control.ts'
import { escapeHtml as html } from '../html.ts'
import type { ReplyHeaders } from '../reply.ts'
import { contractText, walletText } from './answers.ts'

/** Everything comes from this server, and the forms are sent by the script alone. */
export const PAGE_HEADERS: ReplyHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

const row = (cells: readonly string[]): string => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
const code = (text: string): string => `<code>${html(text)}</code>`
const timeText = (unix: number): string =>
  new Date(unix * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC')

/** The page of a live network, as it is at this moment; its script keeps it up to date and sends the forms. */
export const devPage = (status: DevStatus): string => {
  const { seqno, now, block_interval, accounts, shards } = status
  const pace = block_interval === null ? 'blocks on demand' : `a block every ${block_interval} ms`
  const shardRows = shards.map(({ workchain, shard, seqno }) => row([code(`${workchain}:${shard}`), String(seqno)]))
  const walletRows = accounts.wallets.map(({ version, address, mnemonic }) =>
    row([html(version), code(walletText(address)), code(mnemonic)]),
  )
  const contractRows = [{ name: 'faucet', address: accounts.faucet }, ...accounts.contracts].map(({ name, address }) =>
    row([html(name), code(contractText(address))]),
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>tonlith dev</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/dev/page.css">
<script src="/dev/page.js" defer></script>
</head>
<body>
<header>
<h1>tonlith dev</h1>
<p>Block <strong id="seqno">${seqno}</strong> · <span id="now">${timeText(now)}</span> · ${html(pace)}</p>
<nav><a href="/docs">API v2</a> <a href="/docs/v3">API v3</a> <a href="/dashboard">dashboard</a> <a href="/dev/status">status</a> <a href="/dev/global-config.json">global config</a></nav>
</header>
<main>
<section>
<h2>Faucet</h2>
<form id="faucet">
<label>Address <input name="address" required spellcheck="false" autocomplete="off"></label>
<label>TON <input name="amount" required inputmode="decimal" pattern="[0-9]+(\\.[0-9]{1,9})?" value="10"></label>
<button>Pay</button>
<output role="status"></output>
</form>
</section>
<section>
<h2>Blocks</h2>
<form id="mine">
<label>Blocks <input name="blocks" type="number" min="1" max="10000" value="1" required></label>
<button>Mine</button>
<output role="status"></output>
</form>
<table><thead><tr><th>Shard</th><th>Seqno</th></tr></thead><tbody id="shards">${shardRows.join('')}</tbody></table>
</section>
<section>
<h2>Wallets</h2>
<p>Their words are the same for everybody: use them on this network only.</p>
<table><thead><tr><th>Version</th><th>Address</th><th>Mnemonic</th></tr></thead><tbody>${walletRows.join('')}</tbody></table>
</section>
<section>
<h2>Contracts</h2>
<table><thead><tr><th>What</th><th>Address</th></tr></thead><tbody>${contractRows.join('')}</tbody></table>
</section>
</main>
</body>
</html>
`
}

/** Its style. */
export const PAGE_STYLE = `:root { color-scheme: light dark; --line: #8884; --accent: #0a84d8; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 70rem; padding: 1rem; }
h1 { font-size: 1.4rem; margin: 0; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
header { border-bottom: 1px solid var(--line); padding-bottom: .5rem; }
nav a { margin-right: 1rem; }
a { color: var(--accent); }
form { align-items: end; display: flex; flex-wrap: wrap; gap: .5rem 1rem; }
label { display: flex; flex-direction: column; font-size: .85rem; }
input { font: inherit; padding: .3rem .5rem; }
input[name="address"] { width: 32rem; max-width: 80vw; }
button { background: var(--accent); border: 0; border-radius: .3rem; color: #fff; cursor: pointer; font: inherit; padding: .4rem 1rem; }
button:disabled { opacity: .5; }
output { flex-basis: 100%; font-family: ui-monospace, monospace; font-size: .85rem; overflow-wrap: anywhere; }
output.failed { color: #d33; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; }
code { font-size: .85rem; overflow-wrap: anywhere; }
`

/** Its script: keeps what moves up to date, and sends the forms as JSON. */
export const PAGE_SCRIPT = `const ask = async (path, body) => {
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch('/dev/' + path, init)
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error)
  return answer
}

const nano = (text) => {
  const [, whole, decimals = ''] = /^(\\d+)(?:\\.(\\d{1,9}))?$/.exec(text.trim()) ?? []
  if (whole === undefined) throw new Error('the amount must be TON with up to nine decimals')
  return String(BigInt(whole + decimals.padEnd(9, '0')))
}

const onSubmit = (id, send, text) => {
  const form = document.getElementById(id)
  const output = form.querySelector('output')
  const button = form.querySelector('button')
  const show = (message, failed) => {
    output.textContent = message
    output.classList.toggle('failed', failed)
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    button.disabled = true
    show('…', false)
    try {
      show(text(await send(new FormData(form))), false)
    } catch (error) {
      show(error.message, true)
    }
    button.disabled = false
    await refresh()
  })
}

const cell = (text, asCode) => {
  const td = document.createElement('td')
  const inside = asCode ? td.appendChild(document.createElement('code')) : td
  inside.textContent = text
  return td
}

const refresh = async () => {
  try {
    const { seqno, now, shards } = await ask('status')
    document.getElementById('seqno').textContent = seqno
    document.getElementById('now').textContent = new Date(now * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC')
    const rows = shards.map(({ workchain, shard, seqno }) => {
      const tr = document.createElement('tr')
      tr.append(cell(workchain + ':' + shard, true), cell(String(seqno), false))
      return tr
    })
    document.getElementById('shards').replaceChildren(...rows)
  } catch {
    document.getElementById('now').textContent = 'no answer'
  }
}

onSubmit(
  'faucet',
  (data) => ask('faucet', { address: data.get('address').trim(), amount: nano(data.get('amount')) }),
  (paid) => 'paid in block ' + paid.mc_seqno + ', transaction ' + paid.transaction_hash,
)
onSubmit(
  'mine',
  (data) => ask('mine', { blocks: Number(data.get('blocks')) }),
  (head) => 'block ' + head.seqno,
)
setInterval(refresh, 1000)
`
