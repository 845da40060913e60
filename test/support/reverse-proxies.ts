import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unpackPackages } from './debian.ts'
import { until } from './host.ts'
import { freePort } from './ports.ts'

const DEPLOY = join(import.meta.dirname, '../../packages/host-example/deploy')
const cache = (name: string) => join(import.meta.dirname, '../../../node_modules/.cache', name)

/** A proxy in front of one or more servers. */
export interface ReverseProxy {
  readonly url: string
  /** The end of what it logged, without refused connections. */
  readonly log: () => string
  stop(): Promise<void>
}

export type ProxyName = 'nginx' | 'caddy'

/** The program of this machine, else that of Debian, downloaded for the tests alone. */
async function programOf(name: ProxyName): Promise<string> {
  const path = name === 'nginx' ? 'usr/sbin/nginx' : 'usr/bin/caddy'
  if (existsSync(`/${path}`)) return `/${path}`
  if (!existsSync(cache(name))) await unpackPackages([name], cache(name))
  return join(cache(name), path)
}

/** Replaces a part of a file that is shipped; throws when it is not there. */
function replaced(text: string, parts: readonly (readonly [part: string, by: string])[]): string {
  return parts.reduce((result, [part, by]) => {
    if (!result.includes(part)) throw new Error(`The file has no ${part}`)
    return result.replaceAll(part, by)
  }, text)
}

/** The shipped configuration, on a free port without TLS. */
async function nginxArguments(targets: readonly string[], port: number, directory: string): Promise<readonly string[]> {
  const shipped = await readFile(join(DEPLOY, 'nginx/eep.conf'), 'utf8')
  const server = replaced(shipped, [
    ['  server 127.0.0.1:3000 max_fails=0;', targets.map((target) => `  server ${target} max_fails=0;`).join('\n')],
    ['/var/log/nginx/eep.log', `${directory}/access.log`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port};`],
    ['  ssl_certificate ', '  # ssl_certificate '],
    ['  ssl_certificate_key ', '  # ssl_certificate_key '],
  ])
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${directory}/${kind};`,
  )
  const configuration = `daemon off; worker_processes 1; pid ${directory}/pid; error_log stderr;
events { worker_connections 256; }
http { ${paths.join(' ')}
${server}}`
  const file = join(directory, 'nginx.conf')
  await writeFile(file, configuration)
  return ['-c', file, '-p', directory]
}

async function caddyArguments(targets: readonly string[], port: number, directory: string): Promise<readonly string[]> {
  const shipped = await readFile(join(DEPLOY, 'caddy/Caddyfile'), 'utf8')
  const site = replaced(shipped, [
    ['profiles.example {', `http://127.0.0.1:${port} {`],
    ['127.0.0.1:3000', targets.join(' ')],
  ])
  const file = join(directory, 'Caddyfile')
  await writeFile(file, `{\n\tadmin off\n}\n${site}`)
  return ['run', '--config', file, '--adapter', 'caddyfile']
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exited
}

/** Starts a proxy with its shipped configuration; returns a sentence with the reason when the program is not available. */
export async function findReverseProxy(
  name: ProxyName,
): Promise<string | { start(...targets: readonly string[]): Promise<ReverseProxy> }> {
  let program: string
  try {
    program = await programOf(name)
  } catch (error) {
    return `no ${name}: ${error instanceof Error ? error.message : error}`
  }
  return {
    async start(...targets) {
      const directory = await mkdtemp(join(tmpdir(), `eep-${name}-`))
      const port = await freePort()
      const make = name === 'nginx' ? nginxArguments : caddyArguments
      const env = { PATH: process.env.PATH, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory }
      const child = spawn(program, await make(targets, port, directory), { env, stdio: ['ignore', 'ignore', 'pipe'] })
      let said = ''
      child.stderr.on('data', (text) => {
        said = `${said}${text}`.slice(-64_000)
      })
      const url = `http://127.0.0.1:${port}`
      await until(
        async () => {
          if (child.exitCode !== null) throw new Error(`${name} ended: ${said}`)
          return (await fetch(`${url}/health/ready`).catch(() => undefined))?.ok || undefined
        },
        () => said,
      )
      return {
        url,
        log: () =>
          said
            .split('\n')
            .filter((line) => !line.includes('Connection refused'))
            .join('\n'),
        async stop() {
          await stopped(child)
          await rm(directory, { recursive: true, force: true, maxRetries: 3 })
        },
      }
    },
  }
}
