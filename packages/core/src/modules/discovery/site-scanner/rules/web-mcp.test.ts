import { describe, expect, it } from 'vitest'
import { ORIGIN, siteOf, type TestAnswers } from './site-fixture.ts'
import { webMcp } from './web-mcp.ts'

const tool = 'toolname="search" tooldescription="Search this site"'
const field = '<input type="search" name="q" toolparamdescription="Words">'
const form = (attributes: string, inside = field) => `<!doctype html><form ${attributes}>${inside}</form>`
const at = (home: string, paid?: string): TestAnswers => ({
  '/': { type: 'text/html', body: home },
  ...(paid === undefined
    ? {}
    : {
        '/llms.txt': `- [Sold](${ORIGIN}/sold) gated, 0.01 USD`,
        '/sold': { status: 402, type: 'text/html', body: paid },
      }),
})

describe('web-mcp', () => {
  it.each<[string, TestAnswers, string]>([
    ['no tools', at(form('action="/search"')), 'skip'],
    ['a described search that agents submit', at(form(`${tool} toolautosubmit`)), 'pass'],
    ['no description of the form', at(form('toolname="search"')), 'warn'],
    ['no name', at(form('toolname="" tooldescription="Search"')), 'warn'],
    ['no description of a field', at(form(tool, '<input name="q">')), 'warn'],
    [
      'hidden fields and buttons',
      at(form(tool, `${field}<input type="hidden" name="k"><input type=submit name=s>`)),
      'pass',
    ],
    [
      'one description for a choice',
      at(form(tool, '<input type="radio" name="t" toolparamdescription="What"><input type="radio" name="t">')),
      'pass',
    ],
    ['a form that agents must not submit', at(form(`${tool} method="POST" toolautosubmit`)), 'fail'],
    [
      'a described purchase on a page for sale',
      at(form(tool), form('toolname="buy" tooldescription="Buy" method="post"')),
      'pass',
    ],
    [
      'a purchase that agents submit',
      at(form(tool), form('toolname="buy" tooldescription="Buy" method="post" toolautosubmit')),
      'fail',
    ],
  ])('gives for %s the right status', async (_, answers, status) => {
    expect((await webMcp.check(siteOf(answers))).status).toBe(status)
  })

  it('reads hostile pages in time that grows with their length', async () => {
    for (const part of ['<form toolname="', '<form toolname=a><input', ' toolname="x', '<input name="']) {
      const page = `<form toolname="a" tooldescription="b">${part.repeat(60_000)}`
      await webMcp.check(siteOf(at(page)))
    }
  })
})
