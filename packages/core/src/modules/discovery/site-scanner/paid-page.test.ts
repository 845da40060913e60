import { describe, expect, it } from 'vitest'
import { findPaidPage } from './paid-page.ts'
import { ORIGIN, siteOf } from './rules/site-fixture.ts'

const line = (path: string) => `- [Page](${path}): gated\n`

describe('the page that must be paid for', () => {
  it('is among the first three that llms.txt calls gated', async () => {
    const found = (llms: string) => findPaidPage(siteOf({ '/llms.txt': llms, '/paid': { status: 402 } }))
    expect(await found(`${line('/a')}${line('/a')}${line('/b')}${line('/paid')}`)).toMatchObject({
      url: `${ORIGIN}/paid`,
    })
    expect(await found(`${line('/a')}${line('/b')}${line('/c')}${line('/paid')}`)).toBeUndefined()
  })

  it('is looked for once in a scan', async () => {
    const site = siteOf({ '/llms.txt': line('/paid'), '/paid': { status: 402 } })
    const asked: string[] = []
    const counted = {
      ...site,
      get: (address: string, headers?: Readonly<Record<string, string>>) => {
        asked.push(address)
        return site.get(address, headers)
      },
    }
    const pages = await Promise.all([findPaidPage(counted), findPaidPage(counted)])
    expect(pages[0]?.status).toBe(402)
    expect(pages[1]).toBe(pages[0])
    expect(asked).toEqual([`${ORIGIN}/`, '/llms.txt', `${ORIGIN}/paid`])
  })

  it('is found in linear time among lines of brackets', { timeout: 1_000 }, async () => {
    const lines = `paid ${']('.repeat(2_045)}\n`.repeat(255)
    expect(await findPaidPage(siteOf({ '/llms.txt': lines }))).toBeUndefined()
  })
})
