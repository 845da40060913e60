import { describe, expect, it } from 'vitest'
import { prometheusMetrics } from './prometheus.ts'

const open = () => {
  const registry = prometheusMetrics({ processMetrics: false })
  const histogram = registry.histogram({
    name: 'took_seconds',
    help: 'A time',
    kind: 'histogram',
    labels: ['kind'],
    buckets: [0.1, 1],
  })
  return { registry, histogram }
}

describe('a histogram of prometheusMetrics', () => {
  it('shows each value once, whenever it is read', async () => {
    const { registry, histogram } = open()
    const [read, write] = [histogram({ kind: 'read' }), histogram({ kind: 'write' })]
    for (let index = 0; index < 1_000; index++) (index % 4 === 0 ? write : read)(index % 2 === 0 ? 0.05 : 0.5)
    await registry.render()
    read(2)
    const { body } = await registry.render()
    expect(body).toContain('took_seconds_count{kind="read"} 751')
    expect(body).toContain('took_seconds_count{kind="write"} 250')
    expect(body).toContain('took_seconds_bucket{le="0.1",kind="read"} 250')
    expect(body).toContain('took_seconds_bucket{le="1",kind="read"} 750')
    expect(body).toContain('took_seconds_sum{kind="write"} 12.5')
  })

  it('rejects a value that is not a number, and keeps the others', async () => {
    const { registry, histogram } = open()
    const read = histogram({ kind: 'read' })
    read(0.05)
    expect(() => read(Number.NaN)).toThrow(TypeError)
    read(0.05)
    expect((await registry.render()).body).toContain('took_seconds_count{kind="read"} 2')
  })
})
