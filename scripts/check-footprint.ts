// Measures what a host with profiles, content, gates and payments installs: the packages without their optional peers.
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest, type Tarball } from './pack-release.ts'
import { fail, run } from './steps.ts'

const INSTALLED = ['@eep/core', '@eep/adapters-postgres', 'fastify', 'pg']

/**
 * How many libraries the manifest of core may name: one for QR codes, without which authenticator apps are set up by typing 32 letters,
 * and two for base58 and edit distance (0.2 MB), which are not our field.
 */
const MAX_DEPENDENCIES = 25

/**
 * The limit of the whole install, in MB: half of the 94 MB before optional libraries became peers of separate entries, and 6 MB for the
 * snapshot that embedded databases start from, for pages for people, and for the servers for assistants.
 */
const MAX_MEGABYTES = 53

/** Installs the packages into `target`, prints their number and size, and ends the process when a limit is exceeded. */
export function checkFootprint(target: string, tarballs: readonly Tarball[]): void {
  mkdirSync(target)
  writeFileSync(join(target, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const paths = new Map(tarballs.map(({ name, path }) => [name, `file:${path}`]))
  const wanted = INSTALLED.map((name) => paths.get(name) ?? name)
  run('install a small host', ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...wanted], target)

  const modules = join(target, 'node_modules')
  const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as { packages: object }
  const files = globSync('**/*', { cwd: modules }).map((file) => statSync(join(modules, file)))
  const megabytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0) / 1e6
  const named = Object.keys(readManifest(join(modules, '@eep/core')).dependencies ?? {}).length

  const count = Object.keys(lock.packages).length
  const figures = `${named} dependencies of @eep/core; a small host installs ${count} packages, ${megabytes.toFixed(1)} MB`
  const limits = `limits: ${MAX_DEPENDENCIES} dependencies, ${MAX_MEGABYTES} MB`
  if (named > MAX_DEPENDENCIES || megabytes > MAX_MEGABYTES) fail('footprint', `${figures}\n${limits}`)
  console.log(`   ${figures} (${limits})`)
}
