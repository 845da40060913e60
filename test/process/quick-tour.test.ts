import { execFile, spawnSync } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, isShown, shownCommands } from '../../scripts/console-blocks.ts'
import { startHost } from '../support/host.ts'
import { migratedDataDirectory } from '../support/migrated-pglite.ts'

const DOCS = join(import.meta.dirname, '../../docs/start')
const hasCurl = spawnSync('curl', ['--version']).status === 0
const SHOWN_URL = 'http://localhost:3000'

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** The blocks of the pages about the example host that run `curl`. */
const shownRequests = [
  ...blocksOf(await readFile(join(DOCS, 'quick-start.md'), 'utf8')).filter(
    ({ heading }) => heading === 'Run the example host',
  ),
  ...blocksOf(await readFile(join(DOCS, 'quick-tour.md'), 'utf8')),
]
  .filter(({ language }) => language === 'console')
  .flatMap(shownCommands)
  .filter(({ command }) => command.startsWith('curl '))

/** Runs a command of a page against another host, and returns what it would have printed on the port of the page. */
async function print(command: string, url: string): Promise<string> {
  const { port } = new URL(url)
  const { stdout } = await promisify(execFile)('sh', ['-c', command.replaceAll(SHOWN_URL, url)])
  return stdout
    .replaceAll(url, SHOWN_URL)
    .replaceAll(`localhost%3A${port}`, 'localhost%3A3000')
    .replaceAll(`%253A${port}`, '%253A3000')
}

describe.skipIf(!hasCurl)('the quick start and the quick tour', () => {
  let directory: string
  let host: Awaited<ReturnType<typeof startHost>>

  beforeAll(async () => {
    directory = await migratedDataDirectory()
    host = await startHost({ EEP_DATA_DIR: directory })
  })
  afterAll(async () => {
    await host?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it('contain requests', () => {
    expect(shownRequests.length).toBeGreaterThan(5)
  })

  it('show the offer that the host makes', async () => {
    const tour = await readFile(join(DOCS, 'quick-tour.md'), 'utf8')
    const shown = blocksOf(tour).find(({ language }) => language === 'json')
    const response = await fetch(`${host.url}/o/demo/content/bulletins/storm-outlook`)
    const header = Buffer.from(response.headers.get('payment-required') ?? '', 'base64').toString()
    const printed = JSON.stringify(JSON.parse(header), null, 1).replaceAll(host.url, SHOWN_URL)
    expect(isShown(inOneLine(shown?.text ?? ''), inOneLine(printed)), printed).toBe(true)
  })

  it.each(shownRequests)('show what the host answers: $command', async ({ command, output }) => {
    const printed = await print(command, host.url)
    expect(isShown(output, printed), `the page shows:\n${output}\nit printed:\n${printed}`).toBe(true)
  })
})
