#!/usr/bin/env node
// The command line of the host in this directory. Its `package.json` names the module that exports `host`: `"eep": { "host": "src/host.ts" }`.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { loadEnvFile } from 'node:process'
import { pathToFileURL } from 'node:url'
import { runCommandLine } from './command-line.ts'
import type { HostDefinition } from './host-definition.ts'

/** The command found no host to run in. The message describes how to name one. */
class NoHostError extends Error {}

/** Where a host is defined unless its `package.json` names another module. */
const DEFAULT_MODULE = 'src/host.ts'

/** Loads the definition of the host in the working directory. */
async function findHost(): Promise<HostDefinition> {
  const manifest = existsSync('package.json') ? JSON.parse(await readFile('package.json', 'utf8')) : {}
  const path = resolve(manifest.eep?.host ?? DEFAULT_MODULE)
  if (!existsSync(path)) {
    throw new NoHostError(
      `${path} does not exist. Run this command in the directory of a host, or name its module in package.json: "eep": { "host": "${DEFAULT_MODULE}" }`,
    )
  }
  const { host } = await import(pathToFileURL(path).href)
  if (!host?.adapters)
    throw new NoHostError(`${path} exports no host: export const host: HostDefinition = { adapters }`)
  return host
}

try {
  if (existsSync('.env')) loadEnvFile()
  const code = await runCommandLine(await findHost(), process.argv.slice(2))
  // Clients of processors may keep connections open.
  process.exit(code)
} catch (error) {
  console.error(error instanceof NoHostError ? error.message : error)
  process.exit(1)
}
