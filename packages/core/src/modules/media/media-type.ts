/** Whether a file of this type is sound or film. */
export const isMedia = (contentType: string): boolean => /^(audio|video)\/|^application\/ogg(;|$)/i.test(contentType)
