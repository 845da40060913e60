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

/** A script of pages, for browsers. Pages name its version, so that browsers keep each version for a year. */
export interface PageScript {
  readonly path: string
  readonly source: string
  /** By its content. */
  readonly version: string
}

/** Returns a script of `src/browser` with what it imports. The build puts it beside the chunk that contains this module. */
export function pageScript(name: string, path: string): PageScript {
  const source = import.meta.url.endsWith('.ts')
    ? joinModules(new URL(`../../browser/${name}.js`, import.meta.url))
    : readFileSync(new URL(`./${name}.js`, import.meta.url), 'utf8')
  return { path, source, version: sha256(source, 'base64url').slice(0, 12) }
}

/** The script of pages. */
export const PAGES_SCRIPT: PageScript = pageScript('pages', '/assets/pages.js')

/** The wallet of browsers in a sandbox. */
export const TEST_WALLET_SCRIPT: PageScript = pageScript('test-wallet', '/sandbox/wallet.js')
