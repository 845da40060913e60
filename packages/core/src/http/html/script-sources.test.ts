import { expect, it } from 'vitest'
import { scriptSources } from './script-sources.ts'

it('allows a script by its path below the prefix of the listener, at the public origin alone', () => {
  const site = { publicUrl: 'https://profiles.example', basePath: '/api', port: () => 3000 }
  expect(scriptSources(site, '/assets/pages.js')).toEqual(['https://profiles.example/api/assets/pages.js'])
})

it('allows a script at both names of this machine when the public URL is a loopback address', () => {
  const site = { publicUrl: 'http://localhost:3000', basePath: '', port: () => 3000 }
  expect(scriptSources(site, '/assets/pages.js')).toEqual([
    'http://localhost:3000/assets/pages.js',
    'http://127.0.0.1:3000/assets/pages.js',
  ])
})

it('allows a script at the port of a second listener when the public URL is a loopback address', () => {
  const site = { publicUrl: 'http://[::1]:3000', basePath: '/api', port: () => 3001 }
  expect(scriptSources(site, '/a.js')).toEqual([
    'http://localhost:3000/api/a.js',
    'http://localhost:3001/api/a.js',
    'http://127.0.0.1:3000/api/a.js',
    'http://127.0.0.1:3001/api/a.js',
  ])
})
