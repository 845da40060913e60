import { detectAll } from 'tinyld'
import { describe, expect, it } from 'vitest'
import { wordVotes } from './languages.ts'

const TEXTS: Readonly<Record<string, string>> = {
  de: 'Der Zug nach Berlin ist heute leider zu spät, weil ein Baum auf den Gleisen liegt.',
  en: 'Begin with breathing out under water. Lessons in small groups help adults to lose their fear.',
  es: 'La biblioteca abre todos los días por la mañana y cierra cuando termina la última clase.',
  fi: 'Kirjasto avataan joka aamu ja suljetaan, kun viimeinen oppitunti on päättynyt.',
  fr: 'La bibliothèque ouvre tous les matins et ferme quand le dernier cours est terminé.',
  it: 'La biblioteca apre ogni mattina e chiude quando finisce l’ultima lezione della giornata.',
  nl: 'De bibliotheek gaat elke ochtend open en sluit wanneer de laatste les is afgelopen.',
  ru: 'Библиотека открывается каждое утро и закрывается, когда заканчивается последний урок.',
}

describe('wordVotes', () => {
  it.each(Object.entries(TEXTS))('detects the language of a sentence in %s', (code, text) => {
    expect(wordVotes(detectAll)(text)).toBe(code)
  })

  it('detects nothing in a text without letters', () => {
    expect(wordVotes(detectAll)('2026-01-01 12:00 +++')).toBe('')
  })

  it('rates only the short words of a text that has enough of them', () => {
    const rated: string[] = []
    const languageOf = wordVotes((word, options) => {
      rated.push(word)
      return detectAll(word, options)
    })
    expect(languageOf('The chairs and the tables are in the room that is next to the kitchen')).toBe('en')
    expect(rated).not.toContain('kitchen')
  })

  it('rates each word once', () => {
    const rated: string[] = []
    const languageOf = wordVotes((word, options) => {
      rated.push(word)
      return detectAll(word, options)
    })
    const text = 'The train is late, for the tree fell on The road'
    expect(languageOf(text)).toBe('en')
    expect(languageOf(text)).toBe('en')
    expect(rated.toSorted()).toEqual([...new Set(text.toLowerCase().match(/[a-z]+/g))].toSorted())
  })
})
