import { type Html, type HtmlValue, html } from '../html.ts'

/** How something went, for its colour; the words tell it too. */
export type Tone = 'good' | 'bad' | 'waiting' | 'quiet'

/** A state in one word, with a dot in its colour. */
export const badge = (tone: Tone, text: string): Html => html`<span class="badge ${tone}">${text}</span>`

/** A message on top of a page. Errors are read out at once. */
export const notice = (tone: 'good' | 'bad', text: HtmlValue): Html =>
  html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}"><p>${text}</p></div>`

/** What stands where there is nothing yet: why, and what to do next. */
export const empty = (title: string, next: HtmlValue): Html =>
  html`<div class="empty"><p><strong>${title}</strong></p><p>${next}</p></div>`

/** A text that people copy; its button shows where the script runs. */
export const copyable = (label: string, text: string): Html =>
  html`<span class="copyable"><code class="whole">${text}</code><button type="button" class="small copy" data-copy="${text}" aria-label="Copy ${label}">Copy</button></span>`

/** What every form carries. */
export const tokenField = (token: string): Html => html`<input type="hidden" name="token" value="${token}">`

/** A form of one button. */
export const buttonForm = (options: {
  action: string
  token: string
  fields?: Readonly<Record<string, string>>
  label: HtmlValue
  className?: string
}): Html =>
  html`<form method="post" action="${options.action}">${tokenField(options.token)}${Object.entries(
    options.fields ?? {},
  ).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button class="${options.className ?? ''}">${options.label}</button></form>`

/** A column of a table. */
export interface Column {
  readonly label: string
  /** Numbers stand at the right. */
  readonly kind?: 'number' | 'action'
}

/** A table of more columns is narrower in each. */
const MANY = 6

/**
 * A table. On a narrow screen each row is a card, in which the label of its column stands before each value; the roles keep
 * it a table for who does not see it.
 */
export const table = (caption: string, columns: readonly Column[], rows: readonly (readonly HtmlValue[])[]): Html => {
  const kindOf = (i: number): string => columns[i]?.kind ?? 'text'
  return html`<div class="wrap"><table role="table"${columns.length > MANY && html` class="many"`}><caption>${caption}</caption><thead role="rowgroup"><tr role="row">${columns.map(
    ({ label }, i) => html`<th role="columnheader" scope="col" class="${kindOf(i)}">${label}</th>`,
  )}</tr></thead><tbody role="rowgroup">${rows.map(
    (cells) =>
      html`<tr role="row">${cells.map(
        (cell, i) =>
          html`<td role="cell" class="${kindOf(i)}" data-label="${columns[i]?.label}"><div>${cell}</div></td>`,
      )}</tr>`,
  )}</tbody></table></div>`
}

/** Terms and what they are. */
export const facts = (pairs: readonly (readonly [term: string, value: HtmlValue])[]): Html =>
  html`<dl class="facts">${pairs.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`

/** A path with a query; values that are not there are left out. */
export const linkTo = (path: string, query: Readonly<Record<string, string | undefined>>): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value ? [`${name}=${encodeURIComponent(value)}`] : [],
  )
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

/** The way to older and to the newest entries of a list. */
export const pager = (path: string, query: Readonly<Record<string, string | undefined>>, next: string | null): Html => {
  const isFirst = query['before'] === undefined
  if (isFirst && next === null) return html``
  return html`<nav class="pager" aria-label="Pages of the list">${
    !isFirst && html`<a href="${linkTo(path, { ...query, before: undefined })}">Newest</a>`
  }${next !== null && html`<a href="${linkTo(path, { ...query, before: next })}" rel="next">Older</a>`}</nav>`
}
