import { describe, expect, it } from 'vitest'
import { isChangedBy, watchedResource } from './watched-resource.ts'

const of = (uri: string) => watchedResource(uri, 'https://profiles.example')

describe('watchedResource', () => {
  it('reads profiles, pages, categories and feeds of profiles, by URI and by URL', () => {
    expect(of('eep://profiles.example/u/ada')).toMatchObject({ kind: 'profile', profile: '/u/ada' })
    expect(of('https://profiles.example/u/ada/content/notes')).toMatchObject({ kind: 'contents', profile: '/u/ada' })
    expect(of('eep://profiles.example/u/ada/content')).toMatchObject({ kind: 'contents', path: '/u/ada/content' })
    expect(of('eep://profiles.example/feed/u/ada')).toMatchObject({ kind: 'feed', profile: '/u/ada' })
  })

  it('reads no documents, files, other feeds and resources of others', () => {
    for (const uri of ['/llms.txt', '/files/12', '/feed', '/feed/hashtags/a'])
      expect(of(`eep://profiles.example${uri}`)).toBeUndefined()
    for (const uri of ['eep://elsewhere.example/u/ada', 'https://elsewhere.example/u/ada', 'notes://1', ''])
      expect(of(uri)).toBeUndefined()
  })
})

describe('isChangedBy', () => {
  const page = { kind: 'contents', path: '/u/ada/content/notes' } as const
  const updated = (path: string) => ({ type: 'content.updated', path })

  it('holds for the page itself, and for a category of the page, but not for its neighbours', () => {
    expect(isChangedBy(page, updated('/u/ada/content/notes'))).toBe(true)
    expect(isChangedBy(page, updated('/u/ada/content/notes/one'))).toBe(true)
    expect(isChangedBy(page, updated('/u/ada/content/notes-two'))).toBe(false)
    expect(isChangedBy(page, updated('/u/ada/content'))).toBe(false)
  })

  it('holds for the gates of the profile, and not for other events of it', () => {
    expect(isChangedBy(page, { type: 'gate.config_changed', path: undefined })).toBe(true)
    expect(isChangedBy(page, { type: 'entity.updated', path: '/u/ada/content/notes' })).toBe(false)
  })

  it('separates posts from the other events of a profile', () => {
    const posted = { type: 'feed.posted', path: '/feed/posts/1' }
    expect(isChangedBy({ kind: 'feed', path: '/feed/u/ada' }, posted)).toBe(true)
    expect(isChangedBy({ kind: 'profile', path: '/u/ada' }, posted)).toBe(false)
    expect(isChangedBy({ kind: 'profile', path: '/u/ada' }, updated('/u/ada/content/notes'))).toBe(true)
    expect(isChangedBy({ kind: 'feed', path: '/feed/u/ada' }, updated('/u/ada/content/notes'))).toBe(false)
  })
})
