import { describe, expect, it } from 'vitest'
import { spellingsOf } from './gated-page.ts'

describe('the name a gate has for a page', () => {
  it.each([
    ['content.notes.my_page', [['notes', 'my-page']]],
    ['content.welcome', [['welcome']]],
    [
      'content.n2024.report',
      [
        ['n2024', 'report'],
        ['2024', 'report'],
      ],
    ],
    ['content', []],
    ['profile.skills', []],
    ['content.Notes', []],
    ['content..notes', []],
    ['', []],
  ])('%s may stand for %j', (name, spellings) => {
    expect(spellingsOf(name)).toEqual(spellings)
  })

  it('has an end to its spellings', () => {
    expect(spellingsOf(`content.${Array(8).fill('n1').join('.')}`)).toHaveLength(8)
  })
})
