import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { chainMoney, type DemoMoney, sandboxMoney } from './demo-money.ts'
import { buyDemoPage } from './demo-purchase.ts'
import { startDemoReceiver } from './demo-subscriber.ts'

type HostProcess = ChildProcessByStdio<null, Readable, Readable>

/** Runs the host of this package, without the variables of this shell. */
function spawnHost(money: DemoMoney, dataDir: string, receiver: string): HostProcess {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(EEP_|X402_|STRIPE_|DATABASE_URL$|NODE_ENV$)/.test(name),
  )
  const host = spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, 'main.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...Object.fromEntries(inherited),
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'warn',
      EEP_DATA_DIR: dataDir,
      EEP_DEV_CALLBACK_HOSTS: receiver,
      ...money.variables,
    },
  })
  process.once('exit', () => {
    host.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  })
  return host
}

async function readyUrl(host: HostProcess): Promise<string> {
  for await (const line of createInterface({ input: host.stdout })) {
    const url = /^listening on (.+)$/.exec(line)?.[1]
    if (url) return url
  }
  throw new Error('The host did not start')
}

async function main() {
  const startedAt = performance.now()
  const { values } = parseArgs({ options: { chain: { type: 'boolean' } } })
  const money = values.chain ? await chainMoney() : sandboxMoney()
  console.log(money.title)
  const dataDir = mkdtempSync(join(tmpdir(), 'eep-demo-'))
  const receiver = await startDemoReceiver()
  const host = spawnHost(money, dataDir, receiver.host)
  let troubles = ''
  host.stderr.on('data', (chunk) => {
    troubles += chunk
  })
  try {
    const url = await readyUrl(host)
    console.log(`The host of npm start listens on ${url}.`)
    await buyDemoPage(url, { money, dataDir, receiver })
    host.kill('SIGTERM')
    await once(host, 'exit')
  } catch (error) {
    console.error(troubles)
    throw error
  } finally {
    receiver.close()
    await money.close()
  }
  console.log(
    `\nDone in ${((performance.now() - startedAt) / 1000).toFixed(1)} s. The host and its data are gone again.`,
  )
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
try {
  await main()
} catch (error) {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : error}`)
  process.exit(1)
}
