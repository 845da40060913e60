import { describe, expect, it } from 'vitest'
import { spenderOf } from './app.ts'

describe('whose spending an app counts as', () => {
  it('is that of its host, on whatever port', () => {
    const spender = (host: string) => spenderOf({ kind: 'cimd', clientId: `https://${host}/client`, host })
    expect([spender('app.example'), spender('app.example:8443')]).toEqual(['host:app.example', 'host:app.example'])
  })
})
