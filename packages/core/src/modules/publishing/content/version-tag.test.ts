import { describe, expect, it } from 'vitest'
import { checkVersion, versionTag } from './version-tag.ts'

describe('checkVersion', () => {
  it.each([undefined, '*', ' * ', versionTag(7), '"v6", "v7"'])('accepts %j', (ifMatch) => {
    expect(() => checkVersion(ifMatch, 7)).not.toThrow()
  })

  it.each(['"v6"', 'v7', 'W/"v7"', '"v77"', '', '""', '"v7', '7'])('stops at %j', (ifMatch) => {
    expect(() => checkVersion(ifMatch, 7)).toThrow(
      expect.objectContaining({ code: 'precondition_failed', status: 412, details: { version: 7 } }),
    )
  })
})
