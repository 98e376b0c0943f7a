import { type Html, type HtmlValue, html } from '../html.ts'
import { countText } from './format.ts'

/** A part of each bar, and how the style sheet colours it. */
export interface Series {
  readonly name: string
  readonly className: string
}

/** A bar: how much of each series there is. */
export interface Bucket {
  readonly label: string
  readonly values: readonly number[]
}

/** A point of a line; null where nothing is known. */
export interface Point {
  readonly label: string
  readonly value: number | null
}

interface Chart {
  readonly title: string
  /** What it shows, in a sentence, for who does not see it. */
  readonly summary: string
  /** Beside the title. */
  readonly headline?: HtmlValue
}

const HEIGHT = 100
const STEP = 10
const BAR = 7

/** The least 1, 2 or 5 times a power of ten that is not less than `value`, and at least 1. */
export const niceTop = (value: number): number => {
  let power = 1
  while (power * 10 <= value) power *= 10
  return [1, 2, 5, 10].map((factor) => factor * power).find((top) => top >= value) ?? power * 10
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

const round = (value: number): number => Math.round(value * 100) / 100

const grid = (width: number): Html =>
  html`<g class="grid">${[0, HEIGHT / 2, HEIGHT].map(
    (y) => html`<line x1="0" x2="${width}" y1="${y}" y2="${y}" vector-effect="non-scaling-stroke"/>`,
  )}</g>`

/** The first, the middle and the last label. */
const axis = (labels: readonly string[]): Html => {
  const shown = [labels[0], labels[Math.floor(labels.length / 2)], labels.at(-1)]
  return html`<div class="axis" aria-hidden="true">${shown.map((label) => html`<span>${label}</span>`)}</div>`
}

const legend = (series: readonly Series[]): Html =>
  html`<ul class="legend">${series.map(({ name, className }) => html`<li><span class="swatch ${className}"></span>${name}</li>`)}</ul>`

const numbers = (columns: readonly string[], rows: readonly (readonly HtmlValue[])[], title: string): Html =>
  html`<details class="numbers"><summary>Show the numbers</summary><div class="scroll" tabindex="0" role="region" aria-label="${title}: the numbers"><table class="plain"><caption class="hidden">${title}</caption><thead><tr>${columns.map(
    (column) => html`<th scope="col">${column}</th>`,
  )}</tr></thead><tbody>${rows.map(
    ([first, ...others]) =>
      html`<tr><th scope="row">${first}</th>${others.map((value) => html`<td>${value}</td>`)}</tr>`,
  )}</tbody></table></div></details>`

const figure = (
  chart: Chart,
  parts: { top: number; width: number; shapes: Html; labels: readonly string[]; below: HtmlValue },
): Html =>
  html`<figure class="chart"><figcaption><h3>${chart.title}</h3>${chart.headline}</figcaption><div class="plot"><span class="top" aria-hidden="true">${countText(parts.top)}</span><svg role="img" aria-label="${chart.summary}" viewBox="0 0 ${parts.width} ${HEIGHT}" preserveAspectRatio="none" focusable="false">${grid(parts.width)}${parts.shapes}</svg></div>${axis(parts.labels)}${parts.below}</figure>`

const bar = ({ label, values }: Bucket, series: readonly Series[], place: number, top: number): Html => {
  let y = HEIGHT
  const rects = values.map((value, i) => {
    const height = (value / top) * HEIGHT
    y -= height
    return (
      value > 0 &&
      html`<rect class="${series[i]?.className}" x="${place * STEP + (STEP - BAR) / 2}" y="${round(y)}" width="${BAR}" height="${round(height)}"/>`
    )
  })
  const words = values.flatMap((value, i) => (value > 0 ? [`${value} ${series[i]?.name.toLowerCase()}`] : []))
  return html`<g><title>${label}: ${words.join(', ') || 'none'}</title><rect class="ground" x="${place * STEP}" y="0" width="${STEP}" height="${HEIGHT}"/>${rects}</g>`
}

/** Bars that stand side by side, each of as many parts as there are series. */
export const stackedBars = (chart: Chart, series: readonly Series[], buckets: readonly Bucket[]): Html => {
  const top = niceTop(Math.max(0, ...buckets.map(({ values }) => total(values))))
  return figure(chart, {
    top,
    width: buckets.length * STEP,
    shapes: html`${buckets.map((bucket, i) => bar(bucket, series, i, top))}`,
    labels: buckets.map(({ label }) => label),
    below: [
      legend(series),
      numbers(
        ['Day', ...series.map(({ name }) => name)],
        buckets.map(({ label, values }) => [label, ...values]),
        chart.title,
      ),
    ],
  })
}

/** The stretches of a line between what is not known, as points of an SVG polyline. */
const stretches = (points: readonly Point[], top: number): string[][] => {
  const found: string[][] = [[]]
  points.forEach(({ value }, i) => {
    if (value === null) found.push([])
    else found.at(-1)!.push(`${i * STEP},${round(HEIGHT - (value / top) * HEIGHT)}`)
  })
  return found.filter(({ length }) => length > 0)
}

const stretch = (points: readonly string[]): Html => {
  const [first = '', last = ''] = [points[0], points.at(-1)]
  const ends = (point: string): string => point.split(',')[0] ?? '0'
  const dot = points.length === 1 ? [`${Number(ends(first)) + 1},${first.split(',')[1]}`] : []
  return html`<polygon class="area" points="${[`${ends(first)},${HEIGHT}`, ...points, `${ends(last)},${HEIGHT}`].join(' ')}"/><polyline class="line" points="${[...points, ...dot].join(' ')}" vector-effect="non-scaling-stroke"/>`
}

/** A line over equal steps of time. */
export const lineChart = (chart: Chart, points: readonly Point[], columns: readonly [string, string]): Html => {
  const top = niceTop(Math.max(0, ...points.map(({ value }) => value ?? 0)))
  return figure(chart, {
    top,
    width: Math.max(1, points.length - 1) * STEP,
    shapes: html`${stretches(points, top).map(stretch)}`,
    labels: points.map(({ label }) => label),
    below: numbers(
      columns,
      points.map(({ label, value }) => [label, value ?? 'not known']),
      chart.title,
    ),
  })
}
