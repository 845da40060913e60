import { readFileSync } from 'node:fs'
import { sha256 } from '../../kernel/digest.ts'

// The build copies the script beside the chunk that contains this module.
const FILE = new URL(import.meta.url.endsWith('.ts') ? '../../browser/pages.js' : './pages.js', import.meta.url)

/** The script of pages, for browsers. */
export const SCRIPT_SOURCE: string = readFileSync(FILE, 'utf8')

/** The version of the script, by its content. */
export const SCRIPT_VERSION: string = sha256(SCRIPT_SOURCE, 'base64url').slice(0, 12)

/** The path of the script of pages. */
export const SCRIPT_PATH = '/assets/pages.js'
