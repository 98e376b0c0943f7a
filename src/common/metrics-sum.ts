import { AggregatorRegistry, Gauge, type Registry } from 'prom-client'

/** The metrics of a registry as plain data, that crosses to another process. */
export type MetricSamples = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** A gauge of what only grows while a process runs. */
const CPU_SECONDS = 'tonlith_process_cpu_seconds'

const sum = (ofEach: readonly MetricSamples[]): Registry => AggregatorRegistry.aggregate([...ofEach])

/** What several processes counted, in the text format of Prometheus: each metric becomes one by its own `aggregator`. */
export const sumText = (ofEach: readonly MetricSamples[]): Promise<string> => sum(ofEach).metrics()

/** What stays counted of several processes once they have ended, as one. */
export const lastingSum = (ofEach: readonly MetricSamples[]): Promise<MetricSamples> =>
  sum(
    ofEach.map((samples) => samples.filter(({ name, type }) => name === CPU_SECONDS || String(type) !== 'gauge')),
  ).getMetricsAsJSON()

/** What stays counted of a process once it has ended, so that no sum falls: all but gauges of what is the case now. */
export const lastingSamples = async (registry: Registry): Promise<MetricSamples> => {
  const names = registry.getMetricsAsArray().map(({ name }) => name)
  const metrics = names.flatMap((name) => {
    const metric = registry.getSingleMetric(name)
    return metric && (name === CPU_SECONDS || !(metric instanceof Gauge)) ? [metric] : []
  })
  return await Promise.all(metrics.map((metric) => metric.get()))
}
