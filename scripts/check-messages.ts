// Compares the texts of packages in every language with the English ones: keys, placeholders, and the forms of plurals.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { LANGUAGES } from '../packages/core/src/model/languages.ts'

const root = join(import.meta.dirname, '..')
type Texts = Readonly<Record<string, string>>

/** The end of the key of a form: "sales.found.one". */
const CATEGORY = /(?<=\..+)\.(zero|one|two|few|many|other)$/
const problems: string[] = []
/** The files that define an area. */
const areas = new Map<string, string>()

const placeholders = (text: string): string => [...new Set(text.match(/\{[a-zA-Z]+\}/g))].sort().join(' ')
const report = (file: string, key: string, problem: string) =>
  problems.push(`${relative(root, file)}: "${key}" ${problem}`)

/** Reads a file, and reports what is not a text. */
function read(file: string): Texts {
  const texts: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'))
  for (const [key, text] of Object.entries(texts)) {
    if (typeof text !== 'string' || text.trim() === '') report(file, key, 'is not a text')
    if (!/^[a-z-]+\.[a-zA-Z0-9_-]+(\.[a-z]+)?$/.test(key)) report(file, key, 'is not a key such as "page.search"')
  }
  return texts as Texts
}

/** Reports texts with forms that the language does not select, or that lack one. */
function checkForms(file: string, language: string, texts: Texts): void {
  const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const forms = Map.groupBy(
    Object.keys(texts).filter((key) => CATEGORY.test(key)),
    (key) => key.replace(CATEGORY, ''),
  )
  for (const [key, names] of forms) {
    const given = names.map((name) => name.slice(key.length + 1))
    for (const category of needed) if (!given.includes(category)) report(file, `${key}.${category}`, 'is missing')
    for (const category of given) {
      if (!needed.some((one) => one === category))
        report(file, `${key}.${category}`, `is a form that ${language} never has`)
    }
  }
}

/** Compares the texts of a language with the English ones. A form of a plural may leave placeholders out. */
function compare(file: string, texts: Texts, english: Texts): void {
  const bare = (key: string) => key.replace(CATEGORY, '')
  const keys = new Set(Object.keys(texts).map(bare))
  const expected = new Map(Object.entries(english).map(([key, text]) => [bare(key), text]))
  for (const key of expected.keys()) if (!keys.has(key)) report(file, key, 'is missing')
  for (const [key, text] of Object.entries(texts)) {
    const original = expected.get(bare(key))
    if (original === undefined) report(file, key, 'is not in en.json')
    else if (!CATEGORY.test(key) && placeholders(text) !== placeholders(original)) {
      report(file, key, `must have the placeholders of en.json: ${placeholders(original) || 'none'}`)
    }
  }
}

const sources = readdirSync(join(root, 'packages'), { encoding: 'utf8' }).map((name) =>
  join(root, 'packages', name, 'src'),
)
for (const source of sources.filter((folder) => existsSync(folder))) {
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!/(^|[/\\])messages[/\\]en\.json$/.test(name)) continue
    const file = join(source, name)
    const english = read(file)
    checkForms(file, 'en', english)
    for (const area of new Set(Object.keys(english).map((key) => key.split('.')[0] ?? key))) {
      const other = areas.get(area)
      if (other) report(file, area, `is also an area of ${relative(root, other)}`)
      areas.set(area, file)
    }
    for (const language of LANGUAGES.filter((each) => each !== 'en')) {
      const translated = join(dirname(file), `${language}.json`)
      if (!existsSync(translated)) {
        problems.push(`${relative(root, translated)} is missing`)
        continue
      }
      const texts = read(translated)
      checkForms(translated, language, texts)
      compare(translated, texts, english)
    }
  }
}

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`texts: ${areas.size} areas in ${LANGUAGES.length} languages`)
