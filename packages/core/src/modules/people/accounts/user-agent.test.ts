import { describe, expect, it } from 'vitest'
import { summarizeUserAgent } from './user-agent.ts'

describe('summarizeUserAgent', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['lightMyRequest', 'lightMyRequest'],
    ['<script>alert(1)</script>', null],
    ['', null],
    [undefined, null],
  ])('summarizes %j as %j', (header, summary) => {
    expect(summarizeUserAgent(header)).toBe(summary)
  })

  it('keeps at most 61 characters of an unknown client', () => {
    expect(summarizeUserAgent(`${'a'.repeat(500)}/${'1'.repeat(500)}`)?.length).toBeLessThanOrEqual(61)
  })
})
