import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.util.Base64;

/** Runs Sign.java over many cases: "method timestamp nonce base64" a line, answered by "signature base64" a line. */
public class RunVectors {
    public static void main(String[] arguments) throws Exception {
        PrivateKey key = Sign.readKey(Path.of(arguments[0]));
        String cases = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        for (String line : cases.strip().split("\n")) {
            String[] part = line.split(" ", 4);
            String text = new String(Base64.getDecoder().decode(part[3]), StandardCharsets.UTF_8);
            String content = Sign.content(part[0], text, part[1], part[2]);
            String encoded = Base64.getEncoder().encodeToString(content.getBytes(StandardCharsets.UTF_8));
            System.out.println(Sign.sign(content, key) + " " + encoded);
        }
    }
}
