import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { lineChart, niceTop, stackedBars } from '../../../../src/api/dashboard/charts.ts'

const CHART = { title: 'Things <by> day', summary: 'Some "things".' }
const SERIES = [
  { name: 'Good', className: 'fill-good' },
  { name: 'Bad', className: 'fill-bad' },
]

const rects = (markup: string): { className: string; y: number; height: number }[] =>
  [...markup.matchAll(/<rect class="(fill-\w+)" x="[\d.]+" y="([\d.]+)" width="7" height="([\d.]+)"\/>/g)].map(
    ([, className = '', y, height]) => ({ className, y: Number(y), height: Number(height) }),
  )

describe('bars', () => {
  const { markup } = stackedBars(CHART, SERIES, [
    { label: 'Mon', values: [6, 2] },
    { label: 'Tue', values: [0, 0] },
    { label: 'Wed', values: [0, 5] },
  ])

  test('are as high as what they show, one part on the other', () => {
    expect(rects(markup)).toEqual([
      { className: 'fill-good', y: 40, height: 60 },
      { className: 'fill-bad', y: 20, height: 20 },
      { className: 'fill-bad', y: 50, height: 50 },
    ])
  })

  test('tell in words and numbers what they show', () => {
    expect(markup).toContain('aria-label="Some &quot;things&quot;."')
    expect(markup).toContain('<h3>Things &lt;by&gt; day</h3>')
    expect(markup).toContain('<title>Mon: 6 good, 2 bad</title>')
    expect(markup).toContain('<title>Tue: none</title>')
    expect(markup).toContain('<tr><th scope="row">Wed</th><td>0</td><td>5</td></tr>')
  })

  test('carry no style of their own', () => expect(markup).not.toMatch(/ style=|<style|<script/))

  test('of nothing are empty', () => {
    expect(rects(stackedBars(CHART, SERIES, [{ label: 'Mon', values: [0, 0] }]).markup)).toEqual([])
  })

  test('stay within the chart', () => {
    const values = fc.array(fc.tuple(fc.nat(1e6), fc.nat(1e6)), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(values, (all) => {
        const bars = stackedBars(
          CHART,
          SERIES,
          all.map((values, i) => ({ label: String(i), values })),
        )
        for (const { y, height } of rects(bars.markup)) {
          expect(y).toBeGreaterThanOrEqual(-0.01)
          expect(y + height).toBeLessThanOrEqual(100.02)
        }
      }),
    )
  })
})

describe('a line', () => {
  const points = (values: (number | null)[]) => values.map((value, i) => ({ label: `${i}:00`, value }))
  const lines = (values: (number | null)[]): string[] =>
    [...lineChart(CHART, points(values), ['Time', 'Blocks']).markup.matchAll(/class="line" points="([^"]*)"/g)].map(
      ([, drawn = '']) => drawn,
    )

  test('goes through what is known', () => expect(lines([0, 5, 10])).toEqual(['0,100 10,50 20,0']))

  test('is broken where nothing is known', () => {
    expect(lines([1, 1, null, 1, 1])).toEqual(['0,0 10,0', '30,0 40,0'])
    expect(lines([null, null])).toEqual([])
  })

  test('of one point is a dot', () => expect(lines([null, 1, null])).toEqual(['10,0 11,0']))
})

test('the top of a chart is a round number that is not too small', () => {
  expect([0, 1, 2, 3, 7, 10, 11, 99, 100, 101, 2000].map(niceTop)).toEqual([
    1, 1, 2, 5, 10, 10, 20, 100, 100, 200, 2000,
  ])
})
