import { hash } from 'node:crypto'
import script from './script.js' with { type: 'text' }
import style from './style.css' with { type: 'text' }

/** A file that pages are made with. */
export interface Asset {
  readonly path: string
  /** Its path with a mark of what it holds: that may be kept for good. */
  readonly href: string
  readonly type: string
  readonly text: string
}

const asset = (path: string, type: string, text: string): Asset => ({
  path,
  href: `${path}?v=${hash('sha256', text).slice(0, 12)}`,
  type,
  text,
})

export const STYLE = asset('/dashboard/style.css', 'text/css; charset=utf-8', style)
export const SCRIPT = asset('/dashboard/script.js', 'text/javascript; charset=utf-8', script)
export const ICON = asset(
  '/dashboard/icon.svg',
  'image/svg+xml',
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b63c5"/>' +
    '<path d="M8 10h16M16 10v14" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>',
)
