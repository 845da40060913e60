import { expect } from 'vitest'
import { get, negotiates } from './fixture.ts'
import { is, isOf, type Row, row } from './row.ts'

export const discovery: readonly Row[] = [
  row(
    'GET /',
    'none',
    is(
      200,
      'the bootstrap manifest',
      () => get('/'),
      undefined,
      async (answer) => {
        expect(answer.headers).toHaveProperty('link')
        await negotiates('/')(answer)
      },
    ),
  ),
  row(
    'GET /discover',
    'none',
    is(
      200,
      'the capability manifest',
      () => get('/discover'),
      undefined,
      async (answer) => {
        expect(answer.headers['cache-control']).toBe('public, max-age=3600')
        await negotiates('/discover')(answer)
      },
    ),
  ),
  row(
    'GET /agents.txt',
    'none',
    is(200, 'plain text', () => get('/agents.txt'), undefined, isOf('text/plain')),
  ),
  row(
    'GET /.well-known/eep.json',
    'none',
    is(200, 'platform capabilities', () => get('/.well-known/eep.json'), expect.any(Object)),
  ),
  row(
    'GET /.well-known/eep/agent-guide.md',
    'none',
    is(200, 'the guide', () => get('/.well-known/eep/agent-guide.md'), undefined, isOf('text/markdown')),
  ),
  row(
    'GET /docs/openapi.json',
    'none',
    is(200, 'the description', () => get('/docs/openapi.json'), expect.objectContaining({ openapi: '3.1.0' })),
  ),
  row(
    'GET /llms.txt',
    'none',
    is(200, 'a site file', () => get('/llms.txt')),
  ),
  row(
    'GET /robots.txt',
    'none',
    is(200, 'a site file', () => get('/robots.txt'), undefined, isOf('text/plain')),
  ),
  row(
    'GET /sitemap.xml',
    'none',
    is(200, 'a site file', () => get('/sitemap.xml'), undefined, isOf('application/xml')),
  ),
]
