import { describe, expect, it } from 'vitest'
import { scanBadge } from './badge.ts'

describe('the badge of a scan', () => {
  it.each([
    ['succeeded', { grade: 'A', score: 100 }, 'A 100', '#2a7d2e'],
    ['succeeded', { grade: 'F', score: 0 }, 'F 0', '#a82020'],
    ['queued', undefined, 'pending', '#666'],
    ['running', undefined, 'pending', '#666'],
    ['failed', undefined, 'no result', '#666'],
    ['cancelled', undefined, 'no result', '#666'],
  ] as const)('of a scan that is %s shows %j as "%s"', (status, report, text, color) => {
    const svg = scanBadge(status, report)
    expect(svg).toContain(`>${text}</text>`)
    expect(svg).toContain(`aria-label="agent readiness: ${text}"`)
    expect(svg).toContain(`fill="${color}"`)
  })
})
