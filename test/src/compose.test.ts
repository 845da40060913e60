import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

interface Compose {
  readonly services: Readonly<Record<string, { readonly volumes?: readonly string[] }>>
  readonly volumes: object
}

const HOST = join(import.meta.dirname, '../../packages/host-example')

it('keeps the files and the database of the compose project in named volumes', async () => {
  const compose: Compose = parse(await readFile(join(HOST, 'compose.yaml'), 'utf8'))
  const dataDir = /EEP_DATA_DIR=(\S+)/.exec(await readFile(join(HOST, 'Dockerfile'), 'utf8'))?.[1]
  const volumes = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes)
  expect(volumes).toContain(`data:${dataDir}`)
  for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0])
})
