import type { Exchange } from '../exchange.ts'

/** Counts finished requests and their time. */
export interface RequestMetrics {
  record(exchange: Exchange, status: number, seconds: number): void
  /** What was counted so far. */
  series(): readonly RequestSeries[]
  /** The figures in the text format of Prometheus. */
  text(): string
}

/** The requests of one route, method and status. Plain data: it crosses to another process. */
export interface RequestSeries {
  readonly labels: string
  readonly buckets: number[]
  sum: number
  count: number
}

const NAME = 'tonlith_http_request_seconds'
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const seriesText = ({ labels, buckets, sum, count }: RequestSeries): string => {
  let below = 0
  const lines = BOUNDS.map((bound, i) => {
    below += buckets[i]!
    return `${NAME}_bucket{${labels},le="${bound}"} ${below}`
  })
  lines.push(`${NAME}_bucket{${labels},le="+Inf"} ${count}`, `${NAME}_sum{${labels}} ${sum}`)
  return [...lines, `${NAME}_count{${labels}} ${count}`, ''].join('\n')
}

/** Series in the text format of Prometheus. */
export const requestsText = (all: readonly RequestSeries[]): string =>
  `# HELP ${NAME} Time from the arrival of a request to its answer\n# TYPE ${NAME} histogram\n` +
  all.map(seriesText).join('')

/** The series of several processes as one would have counted them. */
export const sumOfSeries = (ofEach: readonly (readonly RequestSeries[])[]): RequestSeries[] => {
  const sums = new Map<string, RequestSeries>()
  for (const { labels, buckets, sum, count } of ofEach.flat()) {
    const whole = sums.getOrInsertComputed(labels, () => ({ labels, buckets: BOUNDS.map(() => 0), sum: 0, count: 0 }))
    buckets.forEach((inBucket, i) => {
      whole.buckets[i]! += inBucket
    })
    whole.sum += sum
    whole.count += count
  }
  return [...sums.values()]
}

/**
 * The metrics of the HTTP side: a histogram by route, method and status. Labels are route patterns and method names, never
 * paths or parameters, so their number is bounded. Counted here and not in prom-client, whose counter and histogram cost a
 * third of a whole request (4 of 14 microseconds).
 */
export const createRequestMetrics = (): RequestMetrics => {
  const routes = new Map<string, Map<string, Map<number, RequestSeries>>>()
  const all: RequestSeries[] = []

  const newSeries = (route: string, method: string, status: number): RequestSeries => {
    const labels = `route="${route}",method="${method}",status="${status}"`
    const series = { labels, buckets: BOUNDS.map(() => 0), sum: 0, count: 0 }
    all.push(series)
    return series
  }

  const addSeries = (route: string, method: string, status: number): RequestSeries => {
    const series = newSeries(route, method, status)
    routes
      .getOrInsertComputed(route, () => new Map())
      .getOrInsertComputed(method, () => new Map())
      .set(status, series)
    return series
  }

  return {
    record: ({ route, method }, status, seconds) => {
      const series = routes.get(route)?.get(method)?.get(status) ?? addSeries(route, method, status)
      let i = 0
      while (i < BOUNDS.length && seconds > BOUNDS[i]!) i++
      if (i < BOUNDS.length) series.buckets[i]!++
      series.sum += seconds
      series.count++
    },
    series: () => all,
    text: () => requestsText(all),
  }
}
