import { describe, expect, it } from 'vitest'
import { coversResource, narrowResource, parseResource, resourcesOf } from './resource.ts'

const URL_OF_SERVICE = 'https://profiles.example/eep'
const ALL = resourcesOf(URL_OF_SERVICE, '/mcp')
const [MCP, ACCOUNT] = [`${URL_OF_SERVICE}/mcp`, `${URL_OF_SERVICE}/mcp/account`]
const code = (work: () => unknown) => {
  try {
    work()
    return undefined
  } catch (error) {
    return (error as { readonly code: string }).code
  }
}

describe('the resources of a request', () => {
  it('are the whole service by default', () => {
    expect(parseResource([], ALL)).toEqual([URL_OF_SERVICE])
  })

  it('are known in every spelling of their address, and returned in that of the metadata', () => {
    const spellings = [`${MCP}/`, 'https://profiles.example:443/eep/mcp', 'HTTPS://Profiles.Example/eep/./mcp']
    for (const each of spellings) expect(parseResource([each], ALL)).toEqual([MCP])
    expect(parseResource([MCP, `${MCP}/`, ACCOUNT], ALL)).toEqual([MCP, ACCOUNT])
    const root = resourcesOf('https://at.root')
    expect(parseResource(['https://at.root'], root)).toEqual(['https://at.root'])
    expect(parseResource(['https://at.root/'], root)).toEqual(['https://at.root'])
  })

  it.each([
    'https://other.example',
    'https://profiles.example',
    `${URL_OF_SERVICE}//`,
    `${MCP}//`,
    `${MCP}?a=b`,
    `${MCP}?`,
    `${MCP}#`,
    'http://profiles.example/eep/mcp',
    'https://user@profiles.example/eep/mcp',
    'https://profiles.example.evil/eep',
    `${URL_OF_SERVICE}/mcp2`,
    'mcp',
    '',
  ])('do not include %j', (value) => {
    expect(code(() => parseResource([value], ALL))).toBe('invalid_target')
    expect(code(() => parseResource([MCP, value], ALL))).toBe('invalid_target')
  })
})

describe('the resources of a token', () => {
  const all = ALL

  it('cover both addresses of MCP when they name one, and everything when they name the service', () => {
    expect([URL_OF_SERVICE, MCP, ACCOUNT].map((each) => coversResource([MCP], each, all))).toEqual([false, true, true])
    expect([URL_OF_SERVICE, MCP, ACCOUNT].map((each) => coversResource([ACCOUNT], each, all))).toEqual([
      false,
      true,
      true,
    ])
    expect([URL_OF_SERVICE, MCP].map((each) => coversResource([URL_OF_SERVICE], each, all))).toEqual([true, true])
  })

  it('can be fewer than those that were granted, and not more', () => {
    expect(narrowResource([], [URL_OF_SERVICE], ALL)).toEqual([URL_OF_SERVICE])
    expect(narrowResource([MCP], [URL_OF_SERVICE], ALL)).toEqual([MCP])
    expect(code(() => narrowResource([URL_OF_SERVICE], [MCP], ALL))).toBe('invalid_target')
  })

  it('do not include those of MCP while it is off', () => {
    const none = resourcesOf(URL_OF_SERVICE)
    expect(code(() => parseResource([MCP], none))).toBe('invalid_target')
    expect(coversResource([URL_OF_SERVICE], URL_OF_SERVICE, none)).toBe(true)
  })
})
