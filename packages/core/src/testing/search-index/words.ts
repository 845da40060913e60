import assert from 'node:assert/strict'
import type { SearchDocument, SearchIndex, SearchTerm } from '../../ports/search-index.ts'
import type { TestRunner } from '../runner.ts'
import { documentOf, freshProfileId, freshWord, keysFor, phrase, prefix, queryFor, word } from './subject.ts'

/** Texts in several languages, each with a query in another inflected form. */
const INFLECTED: Readonly<Record<string, { readonly body: string; readonly query: string }>> = {
  en: { body: 'She was running through the old houses of the village all morning.', query: 'house' },
  de: { body: 'Die alten Maschinen der Fabrik werden heute noch von den Arbeitern benutzt.', query: 'Maschine' },
  fr: { body: 'Les anciennes voitures de la ville sont garées devant les maisons blanches.', query: 'voiture' },
  es: { body: 'Los antiguos caminos de la montaña están llenos de piedras y de flores.', query: 'camino' },
  it: { body: 'I vecchi libri della biblioteca sono stati letti da molte persone nella città.', query: 'libro' },
  pt: { body: 'Os antigos livros da biblioteca foram lidos por muitas pessoas na cidade.', query: 'livro' },
  nl: { body: 'De oude boeken van de bibliotheek werden door veel mensen in de stad gelezen.', query: 'boek' },
  ar: { body: 'قرأ الطلاب الكتاب الجديد في مكتبة المدينة القديمة أمس.', query: 'كتاب' },
  ru: { body: 'Старые книги лежали на столах в большой библиотеке нашего города.', query: 'книга' },
}

/** Words whose endings have accents or letters that look like accented ones, in two inflected forms. */
const ACCENTED: Readonly<Record<string, { readonly body: string; readonly query: string }>> = {
  de: { body: 'Die alten Häuser der Stadt werden heute noch von den Arbeitern bewohnt.', query: 'Haus' },
  fr: {
    body: 'Les méthodes développées dans notre laboratoire sont utilisées par les ingénieurs.',
    query: 'développé',
  },
  es: { body: 'Las organizaciones de la ciudad han publicado sus canciones más antiguas.', query: 'organización' },
  pt: { body: 'As informações sobre a cidade foram publicadas pelos antigos moradores.', query: 'informação' },
  ru: { body: 'Новая библиотека нашего города открыта для всех читателей.', query: 'новый' },
}

/** Texts without spaces or in other scripts, each with a part to search for. */
const PARTS = [
  { language: 'Japanese', body: '東京都の図書館で新しい本を読みました。', query: '図書館' },
  { language: 'Chinese', body: '我们在北京的大学里学习计算机科学。', query: '计算机' },
  { language: 'Arabic', body: 'قرأت الكتاب الجديد في مكتبة المدينة', query: 'مكتبة' },
  { language: 'Thai', body: 'ฉันอ่านหนังสือในห้องสมุด', query: 'หนังสือ' },
]

/** Matching of words. */
export function searchWordCases(it: TestRunner['it'], subject: () => SearchIndex, languages: readonly string[]): void {
  it('finds words of the title, the headings, the keywords, the excerpt and the body', async () => {
    const profileId = freshProfileId()
    const [inTitle, inHeading, inKeyword, inExcerpt, inBody] = [1, 2, 3, 4, 5].map(() => freshWord())
    const document = documentOf({
      profileId,
      title: `The ${inTitle}`,
      headings: ['Other', `About ${inHeading}`],
      keywords: [`${inKeyword}`],
      excerpt: `An ${inExcerpt}.`,
      body: `Something about ${inBody}, and more.`,
    })
    await subject().put([document, documentOf({ profileId, body: 'nothing of these' })])
    for (const one of [inTitle, inHeading, inKeyword, inExcerpt, inBody]) {
      assert.deepEqual(await keysFor(subject(), [word(`${one}`)]), [document.key])
    }
  })

  it('requires all words, and ranks titles before bodies', async () => {
    const profileId = freshProfileId()
    const [one, other] = [freshWord(), freshWord()]
    const inBody = documentOf({ profileId, body: `${one} and much later ${other}` })
    const inTitle = documentOf({ profileId, title: `${one} ${other}` })
    await subject().put([inBody, inTitle, documentOf({ profileId, title: one })])
    const { hits } = await queryFor(subject(), [word(one), word(other)])
    assert.deepEqual(
      hits.map(({ key }) => key),
      [inTitle.key, inBody.key],
    )
    assert.ok(
      hits.every(({ score }) => score >= 0 && score <= 1),
      'a score is between 0 and 1',
    )
    assert.deepEqual(hits[0]?.matched, ['keyword'])
  })

  it('ranks new documents and trusted profiles before others that match as well, and after those that match better', async () => {
    const profileId = freshProfileId()
    const shared = freshWord()
    const old = new Date('2016-01-02T03:04:05Z')
    const of = (name: string, given: Partial<SearchDocument>) =>
      documentOf({ profileId, key: `page:${name}-${shared}`, body: `About ${shared} and more`, ...given })
    const [plain, trusted, outdated] = [of('a', {}), of('b', { trust: 1 }), of('0', { trust: 0.5, updatedAt: old })]
    const better = of('c', { title: shared, updatedAt: old })
    await subject().put([plain, trusted, outdated, better])
    assert.deepEqual(
      await keysFor(subject(), [word(shared)]),
      [better, trusted, plain, outdated].map(({ key }) => key),
    )
  })

  it('matches a phrase in its order only', async () => {
    const profileId = freshProfileId()
    const [one, other] = [freshWord(), freshWord()]
    const inOrder = documentOf({ profileId, body: `Here ${one} ${other} follow.` })
    await subject().put([inOrder, documentOf({ profileId, body: `Here ${other} ${one} follow.` })])
    assert.deepEqual(await keysFor(subject(), [phrase(`${one} ${other}`)]), [inOrder.key])
  })

  it('excludes documents with an excluded word, and accepts one of several alternatives', async () => {
    const profileId = freshProfileId()
    const [shared, one, other] = [freshWord(), freshWord(), freshWord()]
    const first = documentOf({ profileId, title: `${shared} ${one}` })
    const second = documentOf({ profileId, title: `${shared} ${other} something` })
    await subject().put([first, second, documentOf({ profileId, title: `${shared} else entirely` })])
    assert.deepEqual(await keysFor(subject(), [word(shared), word(one)], {}, { none: [word(other)] }), [first.key])
    const all: readonly (readonly SearchTerm[])[] = [[word(shared)], [word(one), word(other)]]
    assert.deepEqual((await keysFor(subject(), [], {}, { all })).toSorted(), [first.key, second.key].toSorted())
    assert.deepEqual(await keysFor(subject(), [], {}, { all, none: [phrase(`${shared} ${one}`)] }), [second.key])
  })

  it('matches prefixes on request', async () => {
    const profileId = freshProfileId()
    const whole = freshWord(8)
    const document = documentOf({ profileId, title: whole })
    await subject().put([document])
    assert.deepEqual(await keysFor(subject(), [prefix(whole.slice(0, 9))]), [document.key])
    assert.deepEqual(await keysFor(subject(), [word(whole.slice(0, 9))]), [])
  })

  it('matches prefixes of one letter', async () => {
    const profileId = freshProfileId()
    const [shared, whole] = [freshWord(), freshWord()]
    const document = documentOf({ profileId, title: `${shared} ${whole}` })
    // Fresh words have no x.
    const other = documentOf({ profileId, title: `${shared} x${whole}` })
    await subject().put([document, other])
    const [letter = ''] = whole
    assert.deepEqual(await keysFor(subject(), [word(shared), prefix('x')]), [other.key])
    assert.deepEqual(await keysFor(subject(), [word(shared), word('x')]), [])
    assert.ok(
      (await keysFor(subject(), [word(shared), prefix(letter)])).includes(document.key),
      'a prefix of one letter finds words that begin with it',
    )
    assert.deepEqual(await keysFor(subject(), [prefix('x')], { profileId }), [other.key])
  })

  it('ignores case, accents and compatibility forms', async () => {
    const profileId = freshProfileId()
    const stem = freshWord()
    const document = documentOf({ profileId, body: `Der ${stem}käse, ${stem}naïve und ${stem}ﬁn im STRAẞE-${stem}.` })
    await subject().put([document])
    for (const query of [`${stem}kase`, `${stem}KÄSE`, `${stem}naive`, `${stem}fin`, `${stem}ka\u0308se`]) {
      assert.deepEqual(
        await keysFor(subject(), [word(query)]),
        [document.key],
        `The query ${query} finds ${document.body}`,
      )
    }
  })

  it('finds a word with joiners by its parts and without joiners, and finds both by the word with joiners', async () => {
    const profileId = freshProfileId()
    const of = (given: Partial<SearchDocument>) => documentOf({ profileId, ...given })
    const [apart, spaced, joined] = [
      of({ title: 'می\u200cخواهم بروم', body: 'Before می\u200cخواهم بروم' }),
      of({ title: 'می خواهم بروم', body: 'Before می خواهم بروم' }),
      of({ title: 'میخواهم بروم', body: 'Before میخواهم بروم' }),
    ]
    await subject().put([apart, spaced, joined, of({ title: 'بروم', body: 'خواهم' })])
    const found = async (...terms: readonly SearchTerm[]) => (await keysFor(subject(), terms, { profileId })).toSorted()
    const sorted = (...documents: readonly SearchDocument[]) => documents.map(({ key }) => key).toSorted()
    assert.deepEqual(await found(word('می\u200cخواهم')), sorted(apart, spaced, joined))
    assert.deepEqual(await found(word('میخواهم')), sorted(apart, joined))
    assert.deepEqual(await found(word('می'), word('خواهم')), sorted(apart, spaced))
    assert.deepEqual(await found(prefix('می\u200cخوا')), sorted(apart, joined), 'the beginning of a word')
    assert.deepEqual(await found(phrase('می\u200cخواهم بروم')), sorted(apart, spaced, joined), 'a phrase')
    assert.deepEqual(await found(phrase('before میخواهم')), sorted(apart, joined), 'at the position of the first part')
    const { hits } = await queryFor(subject(), [word('میخواهم')], { profileId })
    for (const { title } of hits) {
      const [start = 0, end = 0] = title.ranges[0] ?? []
      assert.equal(title.text.slice(start, end).replace('\u200c', ''), 'میخواهم', 'the whole word is marked')
    }
  })

  for (const language of languages) {
    const sample = INFLECTED[language]
    if (!sample) continue
    it(`finds inflected forms of words in ${new Intl.DisplayNames('en', { type: 'language' }).of(language)}`, async () => {
      const profileId = freshProfileId()
      const document = documentOf({ profileId, body: sample.body })
      await subject().put([document])
      assert.deepEqual(await keysFor(subject(), [word(sample.query)], { profileId }), [document.key])
    })
  }

  for (const language of languages) {
    const sample = ACCENTED[language]
    if (!sample) continue
    it(`finds accented words in other inflected forms in ${new Intl.DisplayNames('en', { type: 'language' }).of(language)}`, async () => {
      const profileId = freshProfileId()
      const document = documentOf({ profileId, body: sample.body })
      await subject().put([document])
      assert.deepEqual(await keysFor(subject(), [word(sample.query)], { profileId }), [document.key])
      const [written = ''] = sample.body.split(' ').filter((each) => /[^ -~]/.test(each))
      const plain = written.normalize('NFD').replaceAll(/[\u0300\u0301\u0303\u0308\u0327]/g, '')
      assert.deepEqual(await keysFor(subject(), [word(plain)], { profileId }), [document.key], 'without accents')
      const { hits } = await queryFor(subject(), [word(sample.query)], { profileId })
      assert.equal(hits[0]?.snippet.ranges.length, 1, 'the word is marked')
    })
  }

  for (const { language, body, query } of PARTS) {
    it(`finds words in ${language}`, async () => {
      const profileId = freshProfileId()
      const document = documentOf({ profileId, body })
      await subject().put([document, documentOf({ profileId, body: 'Nothing of this.' })])
      assert.deepEqual(await keysFor(subject(), [word(query)], { profileId }), [document.key])
      const { hits } = await queryFor(subject(), [word(query)], { profileId })
      const [start = 0, end = 0] = hits[0]?.snippet.ranges[0] ?? []
      assert.ok(
        hits[0]?.snippet.text.slice(start, end).includes(query),
        `The snippet marks ${query}, also where a language has no spaces and the index knows no language`,
      )
    })
  }

  it('matches words with one wrong, missing, additional or swapped letter, and returns the correction', async () => {
    const profileId = freshProfileId()
    const right = freshWord(4)
    const document = documentOf({ profileId, title: `About ${right}` })
    await subject().put([document])
    const [a = '', b = '', c = '', d = '', ...rest] = right
    for (const wrong of [
      [a, b, 'x', d, ...rest].join(''),
      [a, b, d, ...rest].join(''),
      [a, b, 'q', c, d, ...rest].join(''),
      [a, b, d, c, ...rest].join(''),
    ]) {
      const { hits, corrections } = await queryFor(subject(), [word(wrong)])
      assert.deepEqual(
        hits.map(({ key, matched }) => ({ key, matched })),
        [{ key: document.key, matched: ['fuzzy'] }],
        wrong,
      )
      assert.deepEqual([...corrections], [[wrong, right]])
    }
    const { hits, corrections } = await queryFor(subject(), [word(right)])
    assert.deepEqual(hits[0]?.matched, ['keyword'])
    assert.equal(corrections.size, 0)
  })

  it('marks matches in the title and in an excerpt of the text', async () => {
    const profileId = freshProfileId()
    const wanted = freshWord()
    const filler = 'Something that was said before. '.repeat(40)
    const document = documentOf({
      profileId,
      title: `On ${wanted.toUpperCase()}`,
      body: `${filler}Then <b>${wanted}</b> came.${filler}`,
    })
    await subject().put([document])
    const { hits } = await queryFor(subject(), [word(wanted)])
    const [hit] = hits
    assert.ok(hit, 'a document is found by a word of its title')
    assert.deepEqual(hit.title, { text: document.title, ranges: [[3, 3 + wanted.length]] })
    const marked = hit.snippet.ranges.map(([start, end]) => hit.snippet.text.slice(start, end))
    assert.deepEqual(marked, [wanted])
    assert.ok(hit.snippet.text.includes(`<b>${wanted}</b>`), 'a snippet is plain text')
    assert.ok(hit.snippet.text.length < 400, 'a snippet has less than 400 characters')
  })

  it('accepts very long documents', async () => {
    const profileId = freshProfileId()
    const first = freshWord()
    const runs = Array.from({ length: 60_000 }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000)))
    const words = Array.from({ length: 60_000 }, (_, index) => `слово${index.toString(36)}`)
    for (const body of [
      `${first} ${runs.join('')}`,
      `${first} ${words.join(' ')}`,
      `${first} ${'a'.repeat(300_000)}`,
    ]) {
      const document = documentOf({ profileId, body })
      await subject().put([document])
      assert.deepEqual(await keysFor(subject(), [word(first)]), [document.key])
      await subject().remove({ keys: [document.key] })
    }
  })

  it('accepts any text as a term', async () => {
    const profileId = freshProfileId()
    const document = documentOf({
      profileId,
      title: "O'Neill & \\Sons\\ 'quoted' % _ :* | ! ( <-> )",
      body: 'a\0b \ud800 c',
    })
    await subject().put([document])
    const texts = [
      "O'Neill",
      "'",
      '\\',
      '&',
      '| !',
      ':*',
      '<->',
      '%',
      '_',
      '\0',
      '\ud800',
      '\u202e',
      "a' | 'b",
      '*',
      '𝔘𝔫𝔦',
      '\u0301',
    ]
    for (const text of [...texts, 'x'.repeat(256), '(((('.repeat(64), "':*".repeat(80)]) {
      for (const term of [word(text), phrase(text), prefix(text)]) {
        const { hits } = await queryFor(subject(), [term], { profileId })
        assert.ok(hits.length <= 1, `The query ${text} finds only documents of the profile that it filters by`)
        await queryFor(subject(), [word('sons')], { profileId }, { none: [term] })
      }
      await subject().suggest(text, 8)
    }
    assert.deepEqual(await keysFor(subject(), [phrase("O'Neill & Sons")], { profileId }), [document.key])
  })
}
