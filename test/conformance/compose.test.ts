import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '@eep/core/host'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { host as exampleHost } from '../../packages/host-example/src/host.ts'

interface Service {
  readonly image?: string
  readonly command?: string | readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly healthcheck?: object
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: object
}

const HOST = join(import.meta.dirname, '../../packages/host-example')
const compose: Compose = parse(await readFile(join(HOST, 'compose.yaml'), 'utf8'))
const { host, database, bucket, 'bucket-setup': setup, scanner } = compose.services
const variables = host?.environment ?? {}

it('keeps the files and the database of the compose project in named volumes', async () => {
  const dataDir = /EEP_DATA_DIR=(\S+)/.exec(await readFile(join(HOST, 'Dockerfile'), 'utf8'))?.[1]
  const volumes = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes)
  expect(volumes).toContain(`data:${dataDir}`)
  for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0])
  for (const service of [database, bucket, scanner]) expect(service?.volumes).toHaveLength(1)
})

it('connects the host of the compose project with its database, bucket and scanner', () => {
  const { NODE_ENV: _, ...others } = variables
  expect(readConfig(exampleHost, others).warnings).toEqual([])
  const url = new URL(variables.DATABASE_URL ?? '')
  expect({ user: url.username, password: url.password, name: url.pathname.slice(1) }).toEqual({
    user: database?.environment?.POSTGRES_USER,
    password: database?.environment?.POSTGRES_PASSWORD,
    name: database?.environment?.POSTGRES_DB,
  })
  const endpoint = new URL(variables.S3_ENDPOINT ?? '')
  expect([variables.S3_ACCESS_KEY_ID, variables.S3_SECRET_ACCESS_KEY]).toEqual([
    bucket?.environment?.MINIO_ROOT_USER,
    bucket?.environment?.MINIO_ROOT_PASSWORD,
  ])
  const ofSetup = new URL(setup?.environment?.MC_HOST_store ?? '')
  expect([ofSetup.host, ofSetup.username, ofSetup.password]).toEqual([
    endpoint.host,
    variables.S3_ACCESS_KEY_ID,
    variables.S3_SECRET_ACCESS_KEY,
  ])
  expect(setup?.command).toContain(`store/${variables.S3_BUCKET}`)
  expect([url.hostname, endpoint.hostname, variables.CLAMD_HOST]).toEqual(['database', 'bucket', 'scanner'])
})

it('starts what the host of the compose project needs before it, and waits for it', () => {
  for (const [name, service] of Object.entries(compose.services)) {
    for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(Object.keys(compose.services), name).toContain(needed)
      if (condition === 'service_healthy') expect(compose.services[needed]?.healthcheck, needed).toBeDefined()
    }
  }
  expect(Object.keys(host?.depends_on ?? {})).toEqual(['database', 'bucket-setup', 'scanner'])
})

it('pins the images of the compose project to a version', () => {
  const images = Object.values(compose.services).flatMap(({ image }) => (image === undefined ? [] : [image]))
  expect(images).toHaveLength(4)
  for (const image of images) expect(image).toMatch(/:(?!latest$)[\w.-]+$/)
})
