import { describe, expect, it } from 'vitest'
import { asksForNothing, parseQuery } from './parse-query.ts'

const word = (text: string, isPrefix = false) => ({ text, isPhrase: false, isPrefix })
const phrase = (text: string) => ({ text, isPhrase: true, isPrefix: false })
const positionOf = (query: string): unknown => {
  try {
    parseQuery(query)
  } catch (error) {
    return (error as { details?: { position?: number } }).details?.position
  }
  return undefined
}

describe('parseQuery', () => {
  it('reads words, of which the last may be incomplete', () => {
    expect(parseQuery('analytical engi').all).toEqual([[word('analytical')], [word('engi', true)]])
    expect(parseQuery('analytical engine -steam').all).toEqual([[word('analytical')], [word('engine')]])
  })

  it('reads phrases, exclusions and alternatives', () => {
    const { all, none } = parseQuery('"first engine" poem OR verse -steam -"of war"')
    expect(all).toEqual([[phrase('first engine')], [word('poem'), word('verse')]])
    expect(none).toEqual([word('steam'), phrase('of war')])
    expect(parseQuery('OR one').all).toEqual([[word('OR')], [word('one', true)]])
    expect(parseQuery('one OR').all).toEqual([[word('one')]])
    expect(parseQuery('"open end').all).toEqual([[phrase('open end')]])
  })

  it('reads operators', () => {
    const { all, author, filter } = parseQuery(
      'type:page engines type:person author:u/Ada tag:#Poetry updated:>2026-01-01',
    )
    expect(all).toEqual([[word('engines')]])
    expect(author).toEqual({ type: 'person', username: 'ada' })
    expect(filter).toEqual({
      kinds: ['page'],
      profileTypes: ['person'],
      tags: ['poetry'],
      updatedFrom: new Date('2026-01-02T00:00:00Z'),
      updatedBefore: undefined,
    })
    expect(parseQuery('updated:2026-02-28').filter).toMatchObject({
      updatedFrom: new Date('2026-02-28T00:00:00Z'),
      updatedBefore: new Date('2026-03-01T00:00:00Z'),
    })
  })

  it('folds tags like hashtags, and leaves tags of several words in lower case', () => {
    const { filter } = parseQuery('tag:＃می\u200cخواهم tag:İstanbul tag:C++')
    expect(filter.tags).toEqual(['میخواهم', 'istanbul', 'c++'])
  })

  it('names the position of an operator that is wrong', () => {
    expect(positionOf('type:nothing')).toBe(0)
    expect(positionOf('engines updated:>yesterday')).toBe(8)
    expect(positionOf('a updated:2026-02-30')).toBe(2)
    for (const wrong of ['author:ada', 'author:zz/ada', 'author:u/', 'author:u/a/b', 'tag:#', 'updated:>']) {
      expect(positionOf(`one ${wrong}`), wrong).toBe(4)
    }
    expect(positionOf('one -type:page')).toBe(4)
  })

  it('keeps eight terms and sixteen words, and returns the rest', () => {
    const { all, ignored, text } = parseQuery('one two three four five six seven eight nine ten')
    expect([all.length, all.at(-1), ignored]).toEqual([8, [word('eight')], ['nine', 'ten']])
    expect(text).toBe('one two three four five six seven eight nine ten')
    const phrase = parseQuery(`"${'word '.repeat(20)}" more`)
    expect(phrase.all.map((clause) => clause[0]?.text.trim())).toEqual(['word '.repeat(16).trim()])
    expect(phrase.ignored.map((each) => each.trim())).toEqual(['word word word word', 'more'])
    expect(parseQuery('東'.repeat(40)).all).toEqual([[word('東'.repeat(32))]])
  })

  it('searches for everything else as text', () => {
    expect(parseQuery('https://example.com/a:b').all).toEqual([
      [word('https')],
      [word('//example.com/a')],
      [word('b', true)],
    ])
    expect(parseQuery('size:10').all).toEqual([[word('size')], [word('10', true)]])
    expect(parseQuery('-size:10').none).toEqual([word('size:10')])
    expect(parseQuery('engines updated: tag:').all).toEqual([[word('engines')], [word('updated')], [word('tag', true)]])
    expect(asksForNothing(parseQuery('  !! -- "" - ::: '))).toBe(true)
    expect(asksForNothing(parseQuery('-steam'))).toBe(false)
    expect(asksForNothing(parseQuery('type:page'))).toBe(false)
  })
})
