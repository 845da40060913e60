// Follows docs/start/quick-start.md from tarballs, from the section "Add it to an existing Fastify application" on: installs what
// it installs, saves its files, runs its commands, and compares the output.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type Block, blocksOf, isShown, type ShownCommand, shownCommands } from './console-blocks.ts'
import type { Tarball } from './pack-release.ts'
import { fail, report, run } from './steps.ts'

const FIRST_HEADING = 'Add it to an existing Fastify application'

/** How long a program may take to print what the page shows. It only ends what hangs. */
const PRINT_MS = 120_000

interface RunningProgram {
  /** Waits until the program has printed what the page shows, and ends the process when it does not. */
  prints(shown: string): Promise<void>
  stop(): Promise<void>
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** Follows the page in `target`, and ends the process when a command fails or prints something else than the page shows. */
export async function checkQuickStart(target: string, tarballs: readonly Tarball[]): Promise<void> {
  const blocks = blocksOf(readFileSync(join(import.meta.dirname, '../docs/start/quick-start.md'), 'utf8'))
  const first = blocks.findIndex(({ heading }) => heading === FIRST_HEADING)
  if (first < 0) fail('read the quick start', `it has no section "${FIRST_HEADING}"`)
  const paths = new Map(tarballs.map(({ name, path }) => [name, `file:${path}`]))

  // Port 3000 of this machine may be in use.
  const port = String(await freePort())
  const here = (text: string) => text.replaceAll('3000', port)
  const asShown = (text: string) => text.replaceAll(port, '3000')

  mkdirSync(target)
  writeFileSync(join(target, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  let running: RunningProgram | undefined
  let heading = ''

  const install = (line: string) => {
    const wanted = line.replace(/^npm install /, '').split(' ')
    const args = wanted.map((word) => paths.get(word) ?? word)
    run(line, ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...args], target)
  }
  const runToEnd = ({ command, output }: ShownCommand) => {
    const started = performance.now()
    const { stdout, stderr } = spawnSync('sh', ['-c', here(command)], { cwd: target, encoding: 'utf8' })
    if (!isShown(output, asShown(stdout))) fail(command, differences(output, asShown(stdout), stderr))
    report(command, started)
  }
  const start = ({ command }: ShownCommand): RunningProgram => {
    const started = performance.now()
    const child = spawn('sh', ['-c', `exec env ${here(command)}`], { cwd: target, stdio: ['ignore', 'pipe', 'pipe'] })
    const closed = once(child, 'close')
    process.once('exit', () => child.kill('SIGKILL'))
    let printed = ''
    let troubles = ''
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      printed += chunk
    })
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      troubles += chunk
    })
    return {
      async prints(shown) {
        for (const end = Date.now() + PRINT_MS; !isShown(shown, asShown(printed)); ) {
          if (Date.now() > end || child.exitCode !== null) fail(command, differences(shown, asShown(printed), troubles))
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
        report(command, started)
      },
      async stop() {
        child.kill('SIGTERM')
        await closed
      },
    }
  }

  const follow = async (block: Block): Promise<void> => {
    const { language, comment, text } = block
    const file = /^example: ([\w-]+\.ts)$/.exec(comment)?.[1]
    const commands = shownCommands(block)
    const [only] = commands
    if (language === 'ts' && file) writeFileSync(join(target, file), here(text))
    else if (language === 'sh') for (const line of text.trim().split('\n')) install(line)
    else if (language === 'text' && running) await running.prints(text)
    else if (language === 'console' && comment === 'keeps running' && only) {
      running = start(only)
      await running.prints(only.output)
    } else if (language === 'console' && commands.length > 0) for (const each of commands) runToEnd(each)
    else fail('read the quick start', `do not know what to do with this block:\n${text}`)
  }

  for (const block of blocks.slice(first)) {
    // What a section started ends with it.
    if (block.heading !== heading) await running?.stop()
    if (block.heading !== heading) running = undefined
    heading = block.heading
    await follow(block)
  }
  await running?.stop()
}

const differences = (shown: string, printed: string, troubles: string): string =>
  `the page shows:\n${shown}\nit printed:\n${printed}\n${troubles}`
