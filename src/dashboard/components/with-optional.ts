/** The object with another value of an optional member, or without it. */
export function withOptional<Of extends object, Name extends keyof Of>(
  object: Of,
  name: Name,
  value: Of[Name] | undefined,
): Of {
  const { [name]: _, ...rest } = object;
  return value === undefined ? (rest as Of) : { ...object, [name]: value };
}
