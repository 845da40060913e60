// Finds words in comments, strings, test titles and pages that words.ts replaces by others, and commands in every file.
//   node scripts/check-words.ts             counts for each file; fails when there is one
//   node scripts/check-words.ts --list      each place, with what to write instead
//   node scripts/check-words.ts --list docs only files whose path begins with docs
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMAND_RULES, UNCHECKED, WORD_EXCEPTIONS, WORD_RULES, type WordRule } from './words.ts'

const root = join(import.meta.dirname, '..')
const list = process.argv.includes('--list')
const only = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))

const SOURCE = /\.(?:ts|mts|mjs|cjs|js)$/
const PAGE = /\.md$/
/** Files with commands, beside sources and pages. */
const WITH_COMMANDS = /\.(?:ya?ml|json|service|sh)$|Dockerfile/
const isChecked = (file: string) => ![...UNCHECKED.keys()].some((pattern) => pattern.test(file))

/** Comments, strings, templates and, so that quotes inside them do not count, regular expressions. */
const TOKEN =
  /(?<comment>\/\*[\s\S]*?\*\/|\/\/[^\n]*)|(?<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|\$\{(?:[^{}`]|\{[^{}]*\}|`[^`]*`)*\}|[^`\\])*`)|(?<=[=(,:[!&|?{};\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[dgimsuvy]*/g

const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ')

/** A text of the same length that keeps prose and line ends; ¶ separates what does not belong together. */
function proseOfSource(text: string): string {
  let prose = ''
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const between = text.slice(end, match.index)
    // Line comments that follow each other are one text.
    const joined = between.trim() === '' && !between.includes('\n\n')
    prose += joined ? between : blank(between).replace(/ $/, '¶')
    end = match.index + match[0].length
    const { comment, string } = match.groups ?? {}
    if (comment !== undefined) {
      const body = comment.replaceAll(/^\/\*\*?|\*\/$|^\/\/+|(?<=\n\s*)\*/g, (mark) => ' '.repeat(mark.length))
      prose += body.replaceAll(/`[^`]*`/g, (code) => code.replaceAll(/[^\n]/g, '·'))
    } else if (string !== undefined && /[a-z,.] [a-z]/i.test(string)) {
      const inner = string
        .slice(1, -1)
        .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, (code) => code.replaceAll(/[^\n]/g, '·'))
      prose += `¶${inner}¶`
    } else {
      prose += blank(match[0]).replace(/^ | $/g, '¶')
    }
  }
  return prose + blank(text.slice(end))
}

const proseOfPage = (text: string): string =>
  text
    .replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, (code) => code.replaceAll(/[^\n]/g, '¶'))
    .replaceAll(/`[^`\n]*`|\]\([^)\s]*\)|<!--[\s\S]*?-->/g, (code) => code.replaceAll(/[^\n]/g, '·'))
    .replaceAll(/^(?:\s*[-*] |#+ |\|)|\||\n(?=\n)/gm, (mark) =>
      '¶'.repeat(mark.length).replace(/¶$/, mark.endsWith('\n') ? '\n' : '¶'),
    )

const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => [SOURCE, PAGE, WITH_COMMANDS].some((kind) => kind.test(file)))
  .filter((file) => isChecked(file) && existsSync(join(root, file)))
  .filter((file) => only.length === 0 || only.some((path) => file.startsWith(path)))

let total = 0
const perRule = new Map<string, number>()
for (const file of files) {
  const text = readFileSync(join(root, file), 'utf8')
  const prose = PAGE.test(file) ? proseOfPage(text) : SOURCE.test(file) ? proseOfSource(text) : ''
  const lines = text.split('\n')
  let found = 0
  const searched: readonly (readonly [WordRule, string])[] = [
    ...WORD_RULES.map((each) => [each, prose] as const),
    ...COMMAND_RULES.map((each) => [each, text] as const),
  ]
  for (const [{ name, pattern, suggestion }, where] of searched) {
    for (const match of where.matchAll(pattern)) {
      const number = text.slice(0, match.index).split('\n').length
      const line = lines[number - 1] ?? ''
      if (WORD_EXCEPTIONS.some((one) => one.file === file && line.includes(one.text))) continue
      found += 1
      perRule.set(name, (perRule.get(name) ?? 0) + 1)
      if (list) console.log(`${file}:${number}: "${match[0].replaceAll(/\s+/g, ' ').trim()}": ${suggestion}`)
    }
  }
  if (found > 0 && !list) console.log(`${String(found).padStart(5)}  ${file}`)
  total += found
}
if (!list)
  for (const [name, count] of [...perRule].sort((a, b) => b[1] - a[1]))
    console.log(`${String(count).padStart(5)}  ${name}`)
console.log(`${total} places in ${files.length} files`)
if (total > 0) {
  console.error('scripts/words.ts has the replacements; --list names each place')
  process.exitCode = 1
}
