// Builds the docs as a website with search, into docs/.vitepress/dist: `npm run docs:site`, or with `dev` to preview while writing.
// VitePress, mermaid and their 230 MB of dependencies are installed into node_modules/.cache on the first run, so that no other task
// waits for them. The build fails on dead links.
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { API_REFERENCE, writeApiReference } from './api-reference.ts'

const root = join(import.meta.dirname, '..')
const manifest = join(root, 'docs/.vitepress/package.json')
const tools = join(root, 'node_modules/.cache/docs-site')
const installed = join(tools, 'package.json')

const isCurrent = existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(manifest, 'utf8')
if (!isCurrent || !existsSync(join(tools, 'node_modules/vitepress'))) {
  rmSync(tools, { recursive: true, force: true })
  mkdirSync(tools, { recursive: true })
  copyFileSync(manifest, installed)
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: tools, stdio: 'inherit' })
}

// Vite resolves `vue` from the pages, so they are built next to the libraries.
const site = join(tools, 'site')
rmSync(site, { recursive: true, force: true })
cpSync(join(root, 'docs'), site, { recursive: true, filter: (path) => !path.includes('.vitepress/dist') })
await writeApiReference()
cpSync(API_REFERENCE, join(site, 'reference/api'), { recursive: true })
mkdirSync(join(site, 'public'), { recursive: true })
copyFileSync(join(tools, 'node_modules/mermaid/dist/mermaid.min.js'), join(site, 'public/mermaid.min.js'))
const [command = 'build'] = process.argv.slice(2)
const { status } = spawnSync(
  process.execPath,
  [join(tools, 'node_modules/vitepress/bin/vitepress.js'), command, site],
  {
    stdio: 'inherit',
  },
)
if (status === 0 && command === 'build') {
  const out = join(root, 'docs/.vitepress/dist')
  rmSync(out, { recursive: true, force: true })
  cpSync(join(site, '.vitepress/dist'), out, { recursive: true })
  console.log('The site is in docs/.vitepress/dist')
}
process.exitCode = status ?? 1
