import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { permissionFlags } from './run-process.ts'

const run = promisify(execFile)

let secrets: string
beforeAll(async () => {
  secrets = await mkdtemp(join(tmpdir(), 'eep-secrets-'))
  await writeFile(join(secrets, 'key.txt'), 'secret')
})
afterAll(() => rm(secrets, { recursive: true, force: true }))

/** What a document that took over its reader could do: prints the error code, or what it got. */
async function attempt(expression: string): Promise<string> {
  const code = `try { console.log('got', ${expression}) } catch (error) { console.log(error.code) }`
  const { stdout } = await run(process.execPath, [...permissionFlags(), '-e', code], { env: {} })
  return stdout.trim()
}

describe('the process that reads documents', () => {
  it.each([
    ['the accounts of the machine', () => `require('node:fs').readFileSync('/etc/passwd', 'utf8')`],
    ['files of the host', () => `require('node:fs').readFileSync(${JSON.stringify(join(secrets, 'key.txt'))}, 'utf8')`],
    ['the environment of other processes', () => `require('node:fs').readFileSync('/proc/1/environ', 'utf8')`],
    ['folders', () => `require('node:fs').readdirSync('/')`],
    ['files to write', () => `require('node:fs').writeFileSync(${JSON.stringify(join(secrets, 'new.txt'))}, 'x')`],
    ['other programs', () => `require('node:child_process').execFileSync('/bin/true')`],
  ])('gets no access to %s', async (_, expression) => {
    expect(await attempt(expression())).toBe('ERR_ACCESS_DENIED')
  })

  it('reads its own code and libraries, and has no environment', async () => {
    const own = JSON.stringify(join(import.meta.dirname, 'text.ts'))
    expect(await attempt(`require('node:fs').readFileSync(${own}, 'utf8').length > 0`)).toBe('got true')
    expect(await attempt('Object.keys(process.env).length')).toBe('got 0')
  })
})
