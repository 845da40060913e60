#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCreate } from './create.ts'
import { terminalPrompts } from './terminal.ts'

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string
}

process.exitCode = await runCreate(process.argv.slice(2), {
  directory: process.cwd(),
  prompts: process.stdin.isTTY && process.stdout.isTTY ? terminalPrompts : undefined,
  userAgent: process.env.npm_config_user_agent,
  version,
  out: (text) => console.log(text),
  err: (text) => console.error(text),
})
