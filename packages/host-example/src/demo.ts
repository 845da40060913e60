import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { type LocalChain, startLocalChain } from '@eep/payments-x402/testing'
import { buyDemoPage } from './demo-purchase.ts'
import { startDemoReceiver } from './demo-subscriber.ts'

type HostProcess = ChildProcessByStdio<null, Readable, Readable>

/** Runs the host of this package on a separate chain, without the variables of this shell. */
function spawnHost(chain: LocalChain, dataDir: string, receiver: string): HostProcess {
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
      X402_NETWORK: chain.network,
      X402_PAY_TO: chain.wallets.seller.address,
      X402_RPC_URL: chain.rpcUrl,
      X402_FACILITATOR_KEY: chain.wallets.facilitator.privateKey,
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
  const chain = await startLocalChain()
  console.log(`A local chain replaces ${chain.network}, with a token that behaves like USDC.`)
  const dataDir = mkdtempSync(join(tmpdir(), 'eep-demo-'))
  const receiver = await startDemoReceiver()
  const host = spawnHost(chain, dataDir, receiver.host)
  let troubles = ''
  host.stderr.on('data', (chunk) => {
    troubles += chunk
  })
  try {
    const url = await readyUrl(host)
    console.log(`The host of npm start settles on it and listens on ${url}.`)
    await buyDemoPage(url, { chain, dataDir, receiver })
    host.kill('SIGTERM')
    await once(host, 'exit')
  } catch (error) {
    console.error(troubles)
    throw error
  } finally {
    receiver.close()
    await chain.stop()
  }
  console.log(
    `\nDone in ${((performance.now() - startedAt) / 1000).toFixed(1)} s. Chain, host and data are gone again.`,
  )
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
try {
  await main()
} catch (error) {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : error}`)
  process.exit(1)
}
