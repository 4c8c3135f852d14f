/** Passwords long enough to be allowed that many people choose, as lists of leaked ones have them; in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  123456789012 1234567890123 12345678901234 123456789123 1234567891011 12345678910111213 112233445566 121212121212
  111111111111 000000000000 222222222222 555555555555 666666666666 777777777777 888888888888 999999999999 101010101010
  123123123123 123412341234 123456123456 123456654321 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz2wsx3edc 1qaz2wsx3edc4rfv
  q1w2e3r4t5y6 qazwsxedcrfv qwerty123456 qwertyuiop123 qwertyuiop12 qwertyuiopas qwertyuiopasdf 123456qwerty
  1234567890qwerty qwertyqwerty qwerty1234567 qwertyuiop[] asdfghjkl123 asdfghjkl;' zxcvbnm12345 abcdefghijkl
  abcdefghijklm abcdefghijklmnop abcdef123456 abc123abc123 abcd1234abcd a1b2c3d4e5f6 aaaaaaaaaaaa passwordpassword
  password1234 password12345 password123456 password1234567890 password123! passw0rd1234 p@ssw0rd1234 p@ssword1234
  mypassword123 mypassword12 thisismypassword yourpassword changeme1234 changemeplease administrator
  administrator1 admin1234567 admin123456789 adminadminadmin letmein12345 letmeinplease welcome12345 welcome123456
  iloveyou1234 iloveyou12345 iloveyouforever iloveyousomuch ilovemyfamily ilovechocolate iloveyoubaby trustno1trustno1
  football1234 baseball1234 basketball12 dragon123456 monkey123456 princess1234 sunshine1234 superman1234 starwars1234
  michael12345 jessica12345 charlie12345 hannahmontana manchesterunited liverpoolfc1 chelseafc123 realmadrid123
  correcthorsebatterystaple unbelievable christopher1 alexander123 elizabeth123 secretsecret secret123456 footfall1234
  footfallfootfall summer2024summer spring2024spring winter2024winter
  `
    .trim()
    .split(/\s+/),
);
