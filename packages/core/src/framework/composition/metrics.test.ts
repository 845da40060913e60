import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defineCounter, defineGauge } from '../../runtime/telemetry/define-metric.ts'
import { everyModule } from '../../testing/every-module.ts'
import { metricsOf } from './metrics.ts'

const SOURCES = join(import.meta.dirname, '../..')
const metrics = metricsOf(everyModule)

describe('the metrics of the service', () => {
  it('have distinct names with its prefix, and a meaning', () => {
    const names = metrics.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, help } of metrics) {
      expect(name).toMatch(/^eep_/)
      expect(help.length, name).toBeGreaterThan(20)
    }
  })

  it('include every definition of a file of metrics', async () => {
    const files = globSync('**/{metrics,*-metrics}.ts', { cwd: SOURCES }).filter((file) => file.includes('/'))
    expect(files.length).toBeGreaterThan(8)
    for (const file of files) {
      const exported: Record<string, unknown> = await import(join(SOURCES, file))
      const defined = Object.values(exported).filter(
        (value) => typeof value === 'object' && value !== null && 'kind' in value && 'help' in value,
      )
      for (const definition of defined) expect(metrics, file).toContain(definition)
    }
  })

  it('have no label that names a person, a resource or an address', () => {
    const labels = new Set(metrics.flatMap((metric) => metric.labels))
    for (const label of labels) expect(label).not.toMatch(/id$|account|profile|user|url|path|address|wallet|email/)
  })
})

describe('a definition of a metric', () => {
  it('needs a name in the spelling of Prometheus', () => {
    expect(() => defineCounter('shop_orders', 'Orders')).toThrow('must end in _total')
    expect(() => defineGauge('shop_carts_total', 'Carts')).toThrow('must not end in _total')
    expect(() => defineGauge('Shop.carts', 'Carts')).toThrow('is not a name')
    expect(() => defineCounter('orders_total', 'Orders', ['Country'])).toThrow('is not a name')
  })
})
