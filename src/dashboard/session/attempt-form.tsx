import { Alert, Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';

/** The form of an attempt to sign in or to join: its fields, why it was refused, and the button that tries it. */
export function AttemptForm({
  verb,
  isTrying,
  problem,
  onSubmit,
  children,
}: {
  verb: string;
  isTrying: boolean;
  /** What is wrong, if that is in no field. */
  problem: string | undefined;
  onSubmit: FormEventHandler<HTMLFormElement>;
  children: ReactNode;
}) {
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        {children}
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Button type="submit" loading={isTrying}>
          {verb}
        </Button>
      </Stack>
    </form>
  );
}

interface FieldProps {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

export function EmailField({
  value,
  error,
  onChange,
  ...more
}: FieldProps & { autoFocus?: boolean; readOnly?: boolean }) {
  return (
    <TextInput
      label="E-mail address"
      type="email"
      autoComplete="username"
      required
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
      {...more}
    />
  );
}

/** A code of the app, or one of the recovery codes. */
export function CodeField({
  value,
  error,
  onChange,
  onRestart,
}: FieldProps & {
  /** Goes back to the first step, if there is one. */
  onRestart?: () => void;
}) {
  return (
    <>
      <TextInput
        label="Code"
        description="Of your authenticator app, or one of your recovery codes."
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellCheck={false}
        required
        autoFocus
        maxLength={40}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        error={error}
      />
      {onRestart && (
        <Anchor component="button" type="button" size="sm" underline="always" ta="left" onClick={onRestart}>
          Back
        </Anchor>
      )}
    </>
  );
}

/** Of a person who has one, or who chooses one. */
export function PasswordField({
  value,
  error,
  onChange,
  isNew = false,
  label = 'Password',
}: FieldProps & { isNew?: boolean; label?: string }) {
  return (
    <PasswordInput
      label={label}
      {...(isNew && { description: 'At least 12 characters. A sentence is easy to remember.' })}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      required
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
    />
  );
}
