import icon from 'swagger-ui-dist/favicon-32x32.png' with { type: 'file' }
import styles from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' }
import bundle from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' }
import { type Reply, reply } from '../reply.ts'

/** Everything comes from this server; the UI sets styles from scripts only and draws its icons from data: images. */
const SECURITY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

/** The documentation pages, as each of them leads to the others. */
const PAGES = [
  ['/docs', 'API v2'],
  ['/docs/v3', 'API v3'],
  ['/docs/merchant', 'Payments'],
] as const

/** The page whose document is the one that `start` loads. */
const page = (start: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>TON HTTP API</title>
<link rel="icon" href="/docs/icon.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<nav>${PAGES.map(([path, name]) => `<a href="${path}">${name}</a>`).join(' · ')}</nav>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="${start}"></script>
</body>
</html>
`

const startScript = (document: string): string => `SwaggerUIBundle({
  url: '${document}',
  dom_id: '#swagger-ui',
  deepLinking: true,
  tryItOutEnabled: true,
  validatorUrl: null,
})
`

const CACHE = { 'cache-control': 'public, max-age=86400' }

/**
 * The documentation pages by path: Swagger UI from files that are part of the program (`type: 'file'` imports), so that it
 * works from a single executable and without a network.
 */
export const docsRoutes: Readonly<Record<string, () => Reply>> = {
  '/docs': () => reply(200, 'text/html; charset=utf-8', page('/docs/start.js'), SECURITY),
  '/docs/start.js': () => reply(200, 'text/javascript; charset=utf-8', startScript('/openapi.json'), SECURITY),
  '/docs/v3': () => reply(200, 'text/html; charset=utf-8', page('/docs/v3/start.js'), SECURITY),
  '/docs/v3/start.js': () =>
    reply(200, 'text/javascript; charset=utf-8', startScript('/api/v3/openapi.json'), SECURITY),
  '/docs/swagger-ui-bundle.js': () =>
    reply(200, 'text/javascript; charset=utf-8', Bun.file(bundle), { ...SECURITY, ...CACHE }),
  '/docs/swagger-ui.css': () => reply(200, 'text/css; charset=utf-8', Bun.file(styles), { ...SECURITY, ...CACHE }),
  '/docs/icon.png': () => reply(200, 'image/png', Bun.file(icon), { ...SECURITY, ...CACHE }),
}

/** The page of the merchant API. */
export const merchantDocsRoutes: Readonly<Record<string, () => Reply>> = {
  '/docs/merchant': () => reply(200, 'text/html; charset=utf-8', page('/docs/merchant/start.js'), SECURITY),
  '/docs/merchant/start.js': () =>
    reply(200, 'text/javascript; charset=utf-8', startScript('/api/merchant/v1/openapi.json'), SECURITY),
}
