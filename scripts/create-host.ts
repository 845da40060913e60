// Copies the example host into a separate folder, as a project that does not need this repository:
//   npm run create-host -- ../my-host            # with the packages from npm
//   npm run create-host -- ../my-host --packed   # with the packages of this checkout, as tarballs in ../my-host/packages
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createHost } from './host-template.ts'
import { packRelease, readManifest } from './pack-release.ts'

/** Packs the packages of this checkout into a folder that is removed when the process ends. */
function packHere() {
  const temporary = mkdtempSync(join(tmpdir(), 'eep-host-'))
  process.on('exit', () => rmSync(temporary, { recursive: true, force: true }))
  return packRelease(temporary)
}

function main([folder, ...options]: readonly string[]): void {
  const packed = options.includes('--packed')
  if (!folder || folder.startsWith('-') || options.some((option) => option !== '--packed')) {
    throw new Error('usage: npm run create-host -- <folder> [--packed]')
  }
  const { version } = readManifest(join(import.meta.dirname, '../packages/core'))
  if (!packed && version === '0.0.0') {
    throw new Error('The packages are not on npm yet. Add --packed to copy those of this checkout beside the host.')
  }
  // npm runs scripts in the root of the repository and sets INIT_CWD to the directory where it was called.
  const target = resolve(process.env.INIT_CWD ?? '.', folder)
  if (!existsSync(dirname(target))) throw new Error(`${dirname(target)} does not exist`)
  createHost(target, packed ? packHere() : [])
  console.log(`${target} is ready: npm install, then npm start`)
}

try {
  main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
