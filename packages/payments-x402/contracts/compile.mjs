// Compiles the contracts beside this file into src/testing/contracts.json: `pnpm compile:contracts`.
import { readFileSync, writeFileSync } from 'node:fs'
import solc from 'solc'

const contracts = {
  'test-token.sol': 'TestToken',
  'test-wallet.sol': 'TestWallet',
  'test-hostile-wallet.sol': 'TestHostileWallet',
  'test-multicall.sol': 'TestMulticall',
}

const sources = Object.fromEntries(
  Object.keys(contracts).map((file) => [file, { content: readFileSync(new URL(file, import.meta.url), 'utf8') }]),
)
const settings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
}
const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })))
for (const { formattedMessage } of output.errors ?? []) console.error(formattedMessage)
if (output.errors?.some(({ severity }) => severity === 'error')) process.exit(1)

const compiled = Object.fromEntries(
  Object.entries(contracts).map(([file, name]) => [
    name,
    `0x${output.contracts[file][name].evm.deployedBytecode.object}`,
  ]),
)
const artifact = { compiler: solc.version(), settings, deployedBytecode: compiled }
writeFileSync(new URL('../src/testing/contracts.json', import.meta.url), `${JSON.stringify(artifact, null, 2)}\n`)
