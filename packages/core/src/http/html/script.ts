import { readFileSync } from 'node:fs'
import { sha256 } from '../../kernel/digest.ts'

const IMPORT = /^import \{[^}]*\} from '(\.\/[\w-]+\.js)'\n/gm

/** Returns the modules of the script as one, each after those that it imports. Only sources need it: the build bundles them. */
function joinModules(file: URL, joined = new Set<string>()): string {
  if (joined.has(file.href)) return ''
  joined.add(file.href)
  const text = readFileSync(file, 'utf8')
  const imported = [...text.matchAll(IMPORT)].map(([, path = '']) => joinModules(new URL(path, file), joined))
  return imported.join('') + text.replaceAll(IMPORT, '').replaceAll(/^export /gm, '')
}

/** The script of pages, for browsers. The build puts it beside the chunk that contains this module. */
export const SCRIPT_SOURCE: string = import.meta.url.endsWith('.ts')
  ? joinModules(new URL('../../browser/pages.js', import.meta.url))
  : readFileSync(new URL('./pages.js', import.meta.url), 'utf8')

/** The version of the script, by its content. */
export const SCRIPT_VERSION: string = sha256(SCRIPT_SOURCE, 'base64url').slice(0, 12)

/** The path of the script of pages. */
export const SCRIPT_PATH = '/assets/pages.js'
