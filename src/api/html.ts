/** Markup that may be put into a page as it is: only `html` makes it. */
export interface Html {
  readonly markup: string
}

/** What can stand in a template: text is escaped, markup is not, nothing stays nothing. */
export type HtmlValue = string | number | bigint | Html | readonly HtmlValue[] | false | null | undefined

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it stands between tags and in quoted attributes. */
export const escapeHtml = (text: string | number): string =>
  String(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!)

const isList = (value: HtmlValue): value is readonly HtmlValue[] => Array.isArray(value)

const markupOf = (value: HtmlValue): string => {
  if (value === false || value === null || value === undefined) return ''
  if (isList(value)) return value.map(markupOf).join('')
  return typeof value === 'object' ? value.markup : escapeHtml(String(value))
}

/**
 * A template of markup: `` html`<b title="${text}">${text}</b>` ``. What is put in is escaped, unless it was made by this
 * function too; attributes must be quoted.
 */
export const html = (parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html => ({
  markup: parts.reduce((text, part, i) => text + markupOf(values[i - 1]) + part),
})
