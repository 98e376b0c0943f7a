import { hash } from 'node:crypto'
import script from './script.js' with { type: 'text' }
import base from './style/base.css' with { type: 'text' }
import cards from './style/cards.css' with { type: 'text' }
import figures from './style/figures.css' with { type: 'text' }
import forms from './style/forms.css' with { type: 'text' }
import frame from './style/frame.css' with { type: 'text' }
import narrow from './style/narrow.css' with { type: 'text' }
import tables from './style/tables.css' with { type: 'text' }

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

/** The later part decides where two speak of one thing. */
const STYLE_PARTS = [base, tables, forms, cards, figures, frame, narrow]

export const STYLE = asset('/dashboard/style.css', 'text/css; charset=utf-8', STYLE_PARTS.join('\n'))
export const SCRIPT = asset('/dashboard/script.js', 'text/javascript; charset=utf-8', script)
export const ICON = asset(
  '/dashboard/icon.svg',
  'image/svg+xml',
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b63c5"/>' +
    '<path d="M8 10h16M16 10v14" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>',
)
