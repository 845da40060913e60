import { execFile } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../support/host.ts'

const ROOT = join(import.meta.dirname, '../..')
const NAME = `eep-test-${process.pid}-${randomBytes(3).toString('hex')}`
const BUILD_MS = 1_200_000
/** Draws a text with the font of the packages, and prints how bright the brightest point of the picture is. */
const DRAWN_TEXT = `import sharp from 'sharp'
const fontfile = import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf').slice('file://'.length)
const { channels } = await sharp({ text: { text: 'Tide', fontfile, font: 'DejaVu Sans Bold 40' } }).png().stats()
console.log(channels[0].max)`

const run = promisify(execFile)

async function docker(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('docker', [...args], { cwd: ROOT, maxBuffer: 64 * 1_048_576 })
  return stdout.trim()
}

/** Why Docker cannot build here; undefined when it answers. */
async function reasonAgainst(): Promise<string | undefined> {
  try {
    await run('docker', ['info', '--format', '{{.ServerVersion}}'], { timeout: 20_000 })
    return undefined
  } catch (error) {
    const { stderr = '', code } = error as { readonly stderr?: string; readonly code?: unknown }
    return code === 'ENOENT' ? 'docker is not installed' : stderr.trim().split('\n').at(-1) || 'docker does not answer'
  }
}

const reason = await reasonAgainst()

describe.skipIf(reason !== undefined)(
  `the image of the example host${reason === undefined ? '' : `: ${reason}`}`,
  () => {
    let url: string
    beforeAll(async () => {
      await docker('build', '-f', 'packages/host-example/Dockerfile', '-t', NAME, '.')
      const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
      const environment = {
        EEP_SECRET: randomBytes(32).toString('base64'),
        EEP_SIGNING_KEY: JSON.stringify(key),
        EEP_BASE_URL: 'https://profiles.example',
      }
      const variables = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`])
      await docker('run', '--detach', '--name', NAME, '--publish', '127.0.0.1::3000', ...variables, NAME)
      url = `http://${await docker('port', NAME, '3000')}`
    }, BUILD_MS)
    afterAll(async () => {
      await docker('rm', '--force', '--volumes', NAME).catch(() => {})
      await docker('rmi', '--force', NAME).catch(() => {})
    }, BUILD_MS)

    it('serves as an unprivileged user, and reports that it is healthy', { timeout: BUILD_MS }, async () => {
      await until(
        async () => (await fetch(`${url}/health/ready`).catch(() => undefined))?.ok || undefined,
        () => 'the container is not ready',
      )
      expect(await docker('exec', NAME, 'id', '-un')).toBe('node')
      const health = async () => docker('inspect', '--format', '{{.State.Health.Status}}', NAME)
      await expect.poll(health, { timeout: 120_000 }).toBe('healthy')
    })

    it('draws texts of pictures, though the system has no fonts', { timeout: BUILD_MS }, async () => {
      const drawn = await docker('exec', NAME, 'node', '--input-type=module', '--eval', DRAWN_TEXT)
      expect(Number(drawn)).toBeGreaterThan(0)
    })

    it('stops in time at SIGTERM, with success', { timeout: BUILD_MS }, async () => {
      await docker('stop', '--time', '15', NAME)
      expect(await docker('inspect', '--format', '{{.State.ExitCode}}', NAME)).toBe('0')
    })
  },
)
