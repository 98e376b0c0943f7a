import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { VERSION } from './version.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Every metric of the program, in a registry of its own. Labels are route patterns, names of methods and of servers,
 * never paths or parameters of callers.
 */
export const createMetrics = () => {
  const registry = new Registry()
  const registers = [registry]
  new Gauge({
    name: 'tonlith_build_info',
    help: 'Always 1; the labels name the version',
    labelNames: ['version', 'bun'],
    registers,
  }).set({ version: VERSION, bun: Bun.version }, 1)
  new Gauge({
    name: 'tonlith_process_start_time_seconds',
    help: 'Unix time at which the process started',
    registers,
  }).set(Math.floor(Date.now() / 1000 - process.uptime()))
  new Gauge({
    name: 'tonlith_process_resident_memory_bytes',
    help: 'Memory of the process that is resident',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  new Gauge({
    name: 'tonlith_process_cpu_seconds',
    help: 'Processor time, user and system, that the process has used',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.set((user + system) / 1e6)
    },
  })
  return {
    registry,
    httpRequests: new Counter({
      name: 'tonlith_http_requests_total',
      help: 'Answered HTTP requests',
      labelNames: ['route', 'method', 'status'],
      registers,
    }),
    httpSeconds: new Histogram({
      name: 'tonlith_http_request_seconds',
      help: 'Time from the arrival of a request to its answer',
      labelNames: ['route', 'method'],
      buckets: SECONDS,
      registers,
    }),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
